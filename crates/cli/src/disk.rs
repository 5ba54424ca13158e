//! The files of this machine, as sources are read from them.

use foresee_session::Files;

/// The files of this machine, as text. Paths are as typed: relative ones start in the current directory.
pub(crate) struct Disk;

impl Files for Disk {
    /// UTF-8, or Latin-1 as older sources are.
    fn read(&self, path: &str) -> Result<String, String> {
        Ok(String::from_utf8(self.read_bytes(path)?).unwrap_or_else(|error| {
            error.as_bytes().iter().map(|byte| char::from(*byte)).collect()
        }))
    }

    fn read_bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        })
    }

    fn list(&self, folder: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(folder).ok()?;
        let name =
            |entry: std::io::Result<std::fs::DirEntry>| entry.ok()?.file_name().into_string().ok();
        let mut names: Vec<String> = entries.filter_map(name).collect();
        names.sort();
        Some(names)
    }
}
