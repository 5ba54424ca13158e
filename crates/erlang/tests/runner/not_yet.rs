//! What is known to differ from Erlang: one line a case, `FILE: CASE` for an expression, `FILE` for a program.
//! Invariant: an entry whose case passes is an error, and so is one that names no case.

use super::folder;
use std::collections::BTreeSet;
use std::sync::Mutex;

const HEADER: &str = "# Cases whose outcome is known to differ from Erlang's. An entry that passes fails the test; \
                      BLESS=1 strikes it off.";

#[derive(Debug)]
pub(crate) struct NotYet {
    entries: Mutex<BTreeSet<String>>,
    bless: bool,
}

impl NotYet {
    pub(crate) fn read() -> NotYet {
        let text = std::fs::read_to_string(folder().join("not_yet.txt")).unwrap_or_default();
        let entries = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        NotYet {
            entries: Mutex::new(entries.map(str::to_owned).collect()),
            bless: std::env::var_os("BLESS").is_some(),
        }
    }

    /// Whether the cases of a file stand as the list says.
    pub(crate) fn judge(
        &self,
        file: &str,
        findings: &[(String, Option<String>)],
    ) -> Result<(), String> {
        let mut said = Vec::new();
        let mut n_wrong = 0;
        let mut keys = BTreeSet::new();
        for (case, wrong) in findings {
            let key = if case.is_empty() { file.to_owned() } else { format!("{file}: {case}") };
            let listed = self.entries.lock().expect("not poisoned").contains(&key);
            match wrong {
                Some(wrong) if !listed => {
                    n_wrong += 1;
                    said.push(format!("{key}\n  {}", wrong.replace('\n', "\n  ")));
                }
                None if listed && self.bless => self.strike(&key),
                None if listed => said.push(format!("{key}\n  passes: strike it off not_yet.txt")),
                _ => {}
            }
            keys.insert(key);
        }
        let entries = self.entries.lock().expect("not poisoned").clone();
        for entry in entries.iter().filter(|e| e.split(": ").next() == Some(file)) {
            if !keys.contains(entry) && self.bless {
                self.strike(entry);
            } else if !keys.contains(entry) {
                said.push(format!("{entry}\n  is in not_yet.txt but is no case"));
            }
        }
        if said.is_empty() {
            return Ok(());
        }
        Err(format!("{n_wrong} of {} cases differ\n{}", findings.len(), said.join("\n")))
    }

    /// Whether every entry belongs to a file of the corpus.
    pub(crate) fn only_names(&self, files: &[String]) -> Result<(), String> {
        let entries = self.entries.lock().expect("not poisoned");
        let lost: Vec<&str> = entries
            .iter()
            .filter(|entry| !files.iter().any(|file| entry.split(": ").next() == Some(file)))
            .map(String::as_str)
            .collect();
        if lost.is_empty() { Ok(()) } else { Err(format!("no such files: {}", lost.join(", "))) }
    }

    fn strike(&self, key: &str) {
        let mut entries = self.entries.lock().expect("not poisoned");
        entries.remove(key);
        let lines = [HEADER].into_iter().chain(entries.iter().map(String::as_str));
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        std::fs::write(folder().join("not_yet.txt"), text).expect("writable");
    }
}
