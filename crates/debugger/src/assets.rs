//! The page's files: built once by `cargo xtask web`, committed, and part of the binary, so that building Foresee needs no Node.
//! `FORESEE_WEB_DIR=…` serves them from a folder while the page is worked on.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;

/// A file of the page.
pub(crate) struct Asset {
    pub(crate) content: Cow<'static, [u8]>,
    pub(crate) content_type: &'static str,
    pub(crate) tag: String,
}

const FILES: [(&str, &str, &[u8]); 3] = [
    ("index.html", "text/html; charset=utf-8", include_bytes!("../web/dist/index.html")),
    ("app.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/app.js")),
    ("app.css", "text/css; charset=utf-8", include_bytes!("../web/dist/app.css")),
];

/// The file that a path of the page means; only the names that are listed mean one.
pub(crate) fn find(path: &str) -> Option<Asset> {
    let name = if path == "/" { "index.html" } else { path.strip_prefix('/')? };
    let (name, content_type, built_in) = FILES.into_iter().find(|(known, ..)| *known == name)?;
    let folder = std::env::var_os("FORESEE_WEB_DIR").map(PathBuf::from);
    let content = match folder.and_then(|folder| std::fs::read(folder.join(name)).ok()) {
        Some(content) => Cow::Owned(content),
        None => Cow::Borrowed(built_in),
    };
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    Some(Asset { tag: format!("\"{:016x}\"", hasher.finish()), content, content_type })
}

/// The page as text: its skeleton, its script, its style.
pub(crate) fn texts() -> [String; 3] {
    ["/", "/app.js", "/app.css"].map(|path| {
        let asset = find(path).expect("a file of the page");
        String::from_utf8_lossy(&asset.content).into_owned()
    })
}
