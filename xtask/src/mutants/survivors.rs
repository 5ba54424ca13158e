//! Why a drawn bug that no test catches is none, read from `xtask/survivors.txt`.
//! An explanation is found by the file, the line of source and the change, so it stays with its line when others move.

use super::Mutant;
use super::list::{one, paragraphs};
use anyhow::Result;
use std::fs;
use std::path::Path;

/// Why one change is not noticed.
#[derive(Debug)]
pub(super) struct Survivor {
    file: String,
    line: String,
    change: String,
    /// `equivalent`, `performance` or `gap`, and a sentence.
    pub(super) why: String,
}

pub(super) fn read(root: &Path) -> Result<Vec<Survivor>> {
    let Ok(text) = fs::read_to_string(root.join("xtask/survivors.txt")) else {
        return Ok(Vec::new());
    };
    let explained = paragraphs(&text)?;
    let explained = explained.iter().map(|it| {
        let field = |key| one(it, key);
        let (file, line) = (field("file")?, field("line")?);
        Ok(Survivor { file, line, change: field("change")?, why: field("why")? })
    });
    explained.collect()
}

impl Survivor {
    /// Whether it explains a drawn bug that stands in this line of source.
    pub(super) fn explains(&self, mutant: &Mutant, line: &str) -> bool {
        self.file == mutant.file && self.change == mutant.breaks && self.line == line.trim()
    }
}
