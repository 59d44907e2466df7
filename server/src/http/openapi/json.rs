//! JSON whose members keep the order in which they were added.

use serde::{Serialize, Serializer};

#[derive(Clone)]
pub(super) enum Json {
    Null,
    Bool(bool),
    Number(i128),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Adds a member at the end of an object.
    pub(super) fn with(mut self, name: &str, value: impl Into<Json>) -> Json {
        let Json::Object(members) = &mut self else { panic!("expected an object") };
        members.push((name.to_owned(), value.into()));
        self
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Number(value) => serializer.serialize_i128(*value),
            Json::Text(text) => serializer.serialize_str(text),
            Json::List(items) => serializer.collect_seq(items),
            Json::Object(members) => {
                serializer.collect_map(members.iter().map(|(name, value)| (name, value)))
            }
        }
    }
}

macro_rules! from {
    ($($type:ty: $value:ident => $json:expr;)*) => {
        $(impl From<$type> for Json {
            fn from($value: $type) -> Json {
                $json
            }
        })*
    };
}

from! {
    bool: value => Json::Bool(value);
    i32: value => Json::Number(value.into());
    u64: value => Json::Number(value.into());
    usize: value => Json::Number(value as i128);
    &str: text => Json::Text(text.to_owned());
    String: text => Json::Text(text);
    Vec<Json>: items => Json::List(items);
}

impl From<&[&str]> for Json {
    fn from(words: &[&str]) -> Json {
        Json::List(words.iter().map(|&word| word.into()).collect())
    }
}

impl<const N: usize> From<[&str; N]> for Json {
    fn from(words: [&str; N]) -> Json {
        words.as_slice().into()
    }
}

/// An object of these members.
macro_rules! object {
    ($($name:expr => $value:expr),* $(,)?) => {
        Json::Object(vec![$(($name.to_string(), Json::from($value))),*])
    };
}
pub(super) use object;
