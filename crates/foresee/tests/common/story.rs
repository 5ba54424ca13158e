//! The data in a page that `--report` writes: packed, with values that occur often listed once.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use serde_json::Value;

/// Everything the page shows, each value in all its places.
#[track_caller]
pub(crate) fn story(page: &str) -> Value {
    let start = page.find("id=\"story\">").expect("the data of a page") + "id=\"story\">".len();
    let end = start + page[start..].find('<').expect("its end");
    let bytes = BASE64_STANDARD.decode(page[start..end].trim()).expect("packed data");
    let text = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).expect("compressed data");
    let packed: Value = serde_json::from_slice(&text).expect("JSON");
    unfolded(&packed["data"], &packed["values"])
}

fn unfolded(value: &Value, values: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| unfolded(item, values)).collect(),
        Value::Object(fields) => match fields.get("$").and_then(Value::as_u64) {
            Some(number) => unfolded(&values[number as usize], values),
            None => {
                let inside =
                    |(key, field): (&String, &Value)| (key.clone(), unfolded(field, values));
                fields.iter().map(inside).collect()
            }
        },
        other => other.clone(),
    }
}
