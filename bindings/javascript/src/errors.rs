//! Errors of the library as the classes of `lib/errors.js`, with the same texts.

use fourbook::{Classify, ErrorKind, StopReason, with_causes};
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// An error of the class with this name.
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(class: &str, text: &str) -> JsValue;

    /// An error of a search that was stopped, with its nodes and the bounds of its score.
    #[wasm_bindgen(js_name = makeLimitError)]
    fn make_limit_error(class: &str, text: &str, nodes: f64, bounds: Option<Vec<i8>>) -> JsValue;

    /// Throws an error for a bug in fourbook.
    #[wasm_bindgen(js_name = throwPanic)]
    pub(crate) fn throw_panic(text: &str);
}

/// Results whose error is thrown as its class.
pub(crate) trait OrThrow<T> {
    fn or_throw(self) -> Result<T, JsValue>;
}

impl<T, E: Classify> OrThrow<T> for Result<T, E> {
    fn or_throw(self) -> Result<T, JsValue> {
        self.map_err(|error| to_js(&error))
    }
}

/// An error of the library, as an instance of its class.
pub(crate) fn to_js(error: &impl Classify) -> JsValue {
    let mut text = with_causes(error);
    let class = match error.kind() {
        ErrorKind::Position => "PositionError",
        ErrorKind::Size => "SizeError",
        ErrorKind::Argument => "RangeError",
        ErrorKind::Memory => {
            text += "; close the oracles that are not used any more";
            "OutOfMemoryError"
        }
        ErrorKind::Stopped(stopped) => {
            let class = match stopped.reason {
                StopReason::NodeBudget => "NodeBudgetError",
                StopReason::Deadline => "DeadlineError",
                _ => "LimitError",
            };
            let bounds = stopped.bounds.map(|bounds| vec![bounds.min, bounds.max]);
            return make_limit_error(class, &text, stopped.nodes as f64, bounds);
        }
        _ => "BookError",
    };
    make_error(class, &text)
}
