//! What is taken of a student's folder: the files that the lab names, and nothing else.
//! A manifest, a build script, settings of cargo, links to somewhere else: none of it is looked at. A file may stand under `src`, or at the top.

use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};

/// One student's files.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The name of the folder.
    pub student: String,
    /// Each file's name in the lab (`src/rpc.rs`) and its text.
    pub files: Vec<(String, String)>,
    /// What else was there and looks as if it was meant to be used.
    pub ignored: Vec<String>,
}

/// Why a folder cannot be graded.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum BadSubmission {
    Missing(Vec<String>),
    NotAFile(String),
    TooLarge(String),
    NotText(String),
    Unreadable(String, String),
}

/// Nobody writes a longer file by hand.
const FILE_MAX: u64 = 1 << 20;
/// What students may think is used.
const TEMPTING: [&str; 6] =
    ["Cargo.toml", "build.rs", ".cargo", "src/main.rs", "src/lib.rs", "rust-toolchain.toml"];

impl Submission {
    /// Reads the files that are named from a student's folder.
    pub fn read(folder: &Path, student: &str, names: &[&str]) -> Result<Self, BadSubmission> {
        let mut files = Vec::new();
        let mut missing = Vec::new();
        for name in names {
            match place(folder, name) {
                Some(path) => files.push(((*name).to_owned(), text(&path, name)?)),
                None => missing.push((*name).to_owned()),
            }
        }
        if !missing.is_empty() {
            return Err(BadSubmission::Missing(missing));
        }
        let is_there = |name: &&&str| folder.join(name).symlink_metadata().is_ok();
        let ignored = TEMPTING.iter().filter(is_there).map(|name| (*name).to_owned()).collect();
        Ok(Submission { student: student.to_owned(), files, ignored })
    }
}

/// `src/rpc.rs`, or `rpc.rs`. Not through a link: it could lead to what the student may not read.
fn place(folder: &Path, name: &str) -> Option<PathBuf> {
    let short = name.strip_prefix("src/").unwrap_or(name);
    let is_link = |path: &Path| path.symlink_metadata().is_ok_and(|about| about.is_symlink());
    let places = [folder.join(name), folder.join(short)];
    let mut there = places.into_iter().filter(|path| path.symlink_metadata().is_ok());
    there.find(|path| !path.parent().is_some_and(|parent| parent != folder && is_link(parent)))
}

fn text(path: &Path, name: &str) -> Result<String, BadSubmission> {
    let name = name.to_owned();
    let unreadable =
        |error: std::io::Error| BadSubmission::Unreadable(name.clone(), error.kind().to_string());
    let about = path.symlink_metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(BadSubmission::NotAFile(name));
    }
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(FILE_MAX + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > FILE_MAX {
        return Err(BadSubmission::TooLarge(name));
    }
    String::from_utf8(bytes).map_err(|_| BadSubmission::NotText(name))
}

impl fmt::Display for BadSubmission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadSubmission::Missing(names) => {
                write!(f, "{} is not there", names.join(" and "))
            }
            BadSubmission::NotAFile(name) => write!(f, "{name} is no plain file"),
            BadSubmission::TooLarge(name) => write!(f, "{name} is larger than 1 MiB"),
            BadSubmission::NotText(name) => write!(f, "{name} is no text in UTF-8"),
            BadSubmission::Unreadable(name, reason) => write!(f, "{name} cannot be read: {reason}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_files_that_are_named_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("src")).unwrap();
        std::fs::write(at("src/a.rs"), "// a").unwrap();
        std::fs::write(at("b.rs"), "// b").unwrap();
        std::fs::write(at("build.rs"), "fn main() {}").unwrap();
        let names = ["src/a.rs", "src/b.rs"];
        let taken = Submission::read(folder.path(), "ann", &names).unwrap();
        let expected = [("src/a.rs", "// a"), ("src/b.rs", "// b")];
        assert_eq!(taken.files, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
        assert_eq!(taken.ignored, ["build.rs"]);
        let read = || Submission::read(folder.path(), "ann", &names).unwrap_err();
        std::fs::write(at("b.rs"), [0xff, 0xfe]).unwrap();
        assert_eq!(read(), BadSubmission::NotText("src/b.rs".into()));
        std::fs::remove_file(at("b.rs")).unwrap();
        assert_eq!(read(), BadSubmission::Missing(vec!["src/b.rs".into()]));
        std::os::unix::fs::symlink("/etc/passwd", at("b.rs")).unwrap();
        assert_eq!(read(), BadSubmission::NotAFile("src/b.rs".into()));
        std::fs::remove_file(at("b.rs")).unwrap();
        std::fs::write(at("b.rs"), vec![b' '; (1 << 20) + 1]).unwrap();
        assert_eq!(read(), BadSubmission::TooLarge("src/b.rs".into()));
    }
}
