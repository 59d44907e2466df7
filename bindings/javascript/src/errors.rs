//! Errors of the library as the classes of `lib/errors.js`, with the same texts.

use fourbook::book::BookError;
use fourbook::oracle::OracleError;
use fourbook::solver::TableError;
use fourbook::{NameError, PositionError, SizeError, StopReason, Stopped, with_causes};
use std::error::Error;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    /// An error of the class with this name.
    #[wasm_bindgen(js_name = makeError)]
    pub(crate) fn make_error(class: &str, text: &str) -> JsValue;

    /// An error of a search that was stopped, with its nodes and the bounds of its score.
    #[wasm_bindgen(js_name = makeLimitError)]
    fn make_limit_error(class: &str, text: &str, nodes: f64, bounds: Option<Vec<i8>>) -> JsValue;

    /// Throws an error for a bug in fourbook.
    #[wasm_bindgen(js_name = throwPanic)]
    pub(crate) fn throw_panic(text: &str);
}

/// An error of the library, with the class that it has in JavaScript.
pub(crate) trait IntoJs {
    fn into_js(self) -> JsValue;
}

/// The same for results.
pub(crate) trait OrThrow<T> {
    fn or_throw(self) -> Result<T, JsValue>;
}

impl<T, E: IntoJs> OrThrow<T> for Result<T, E> {
    fn or_throw(self) -> Result<T, JsValue> {
        self.map_err(IntoJs::into_js)
    }
}

/// An error of a class.
pub(crate) fn error(class: &str, error: &dyn Error) -> JsValue {
    make_error(class, &with_causes(error))
}

macro_rules! classes {
    ($($error:ty => $class:literal),+ $(,)?) => {$(
        impl IntoJs for $error {
            fn into_js(self) -> JsValue {
                error($class, &self)
            }
        }
    )+};
}

classes! {
    PositionError => "PositionError",
    SizeError => "SizeError",
    NameError => "LevelError",
    TableError => "OutOfMemoryError",
}

impl IntoJs for BookError {
    fn into_js(self) -> JsValue {
        let class = match self {
            BookError::WrongSize { .. } => "SizeError",
            _ => "BookError",
        };
        error(class, &self)
    }
}

impl IntoJs for Stopped {
    fn into_js(self) -> JsValue {
        let class = match self.reason {
            StopReason::NodeBudget => "NodeBudgetError",
            StopReason::Deadline => "DeadlineError",
            StopReason::Cancelled => "LimitError",
        };
        let bounds = self.bounds.map(|bounds| vec![bounds.min, bounds.max]);
        make_limit_error(class, &self.to_string(), self.nodes as f64, bounds)
    }
}

impl IntoJs for OracleError {
    fn into_js(self) -> JsValue {
        match self {
            OracleError::Stopped(stopped) => stopped.into_js(),
            OracleError::Memory(memory) => memory.into_js(),
            OracleError::Book(error) => error.into_js(),
            other => error("FourbookError", &other),
        }
    }
}
