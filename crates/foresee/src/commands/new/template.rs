//! The crate that `new` writes: its files, with the names filled in.

use super::{name, sources};
use std::path::PathBuf;

/// Each file's name and its text; `{{name}}` is the crate, `{{crate}}` the same in Rust.
const FILES: [(&str, &str); 7] = [
    ("Cargo.toml", include_str!("template/Cargo.toml.in")),
    (".gitignore", include_str!("template/gitignore")),
    ("README.md", include_str!("template/README.md")),
    ("src/lib.rs", include_str!("template/src/lib.rs")),
    ("src/main.rs", include_str!("template/src/main.rs")),
    ("src/register.rs", include_str!("template/src/register.rs")),
    ("tests/checks.rs", include_str!("template/tests/checks.rs")),
];

/// The files, and the versions of third-party crates that this version of the library was built with: cargo takes those of them
/// that are needed.
pub(super) fn files(crate_name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let filled = |text: &str| {
        let text = text.replace("{{name}}", crate_name);
        text.replace("{{crate}}", &name::in_rust(crate_name)).into_bytes()
    };
    let files = FILES.iter().map(|(name, text)| (PathBuf::from(name), filled(text)));
    let lock = (PathBuf::from("Cargo.lock"), sources::file("Cargo.lock"));
    files.chain([lock]).collect()
}
