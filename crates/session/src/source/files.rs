//! How texts are read: through the edge, because nothing below it opens files.

use std::collections::BTreeMap;

/// Files as the edge sees them; we open none ourselves. A map from paths to texts is one, for tests and for texts that are
/// in no file.
pub trait Files: Sync {
    /// The text of a file, or why there is none.
    fn read(&self, path: &str) -> Result<String, String>;

    /// The bytes of a file, or why there are none. Of what has only texts, a byte is a character of that number.
    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let byte = |c: char| u8::try_from(c).map_err(|_| "it has more than bytes in it".to_owned());
        self.read(path)?.chars().map(byte).collect()
    }

    /// The names in a folder, sorted; `None` if it is no folder.
    fn list(&self, folder: &str) -> Option<Vec<String>>;
}

/// Nothing can be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &str) -> Result<String, String> {
        Err("no files can be read here".to_owned())
    }

    fn list(&self, _: &str) -> Option<Vec<String>> {
        None
    }
}

impl Files for BTreeMap<String, String> {
    fn read(&self, path: &str) -> Result<String, String> {
        self.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let prefix = match folder {
            "" | "." => String::new(),
            folder => format!("{}/", folder.trim_end_matches('/')),
        };
        let inside = self.keys().filter_map(|path| path.strip_prefix(&prefix));
        let mut names: Vec<String> =
            inside.map(|rest| rest.split('/').next().unwrap_or(rest).to_owned()).collect();
        names.dedup();
        (!names.is_empty()).then_some(names)
    }
}
