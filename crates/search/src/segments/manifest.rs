//! The manifest: which files count, and where the search stands. Replaced in one step at the end of a level, and between.
//! A text of lines `key value …`, so that a person can look at it; the last line is a checksum of those before it.

use super::DiskError;
use super::block::checksum;
use std::fmt::Write;

/// The name of its file.
const FILE: &str = "manifest";
/// The first line: what follows, and the version of the form of all files.
const FIRST: &str = "foresee search ";
const VERSION: &str = "2";
/// What the last line begins with.
const SUM: &str = "checksum";

/// A file as it was written.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct FileInfo {
    pub name: String,
    pub bytes: u64,
    pub records: u64,
    /// Made of the checksums of its blocks.
    pub digest: u64,
}

/// The states at one distance from the start.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LevelInfo {
    pub states: u64,
    pub file: FileInfo,
}

/// Something found: what, by a number of the search's own, and the state, by its level and place there.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Noted {
    pub what: u64,
    pub level: u32,
    pub position: u64,
}

/// Where a search stands.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Manifest {
    /// What is searched and by which program: name and value, compared as texts.
    pub identity: Vec<(String, String)>,
    pub transitions: u64,
    /// States of the last level that are expanded already.
    pub position: u64,
    pub levels: Vec<LevelInfo>,
    /// Definitions of components.
    pub components: Vec<FileInfo>,
    /// Keys of visited states.
    pub runs: Vec<FileInfo>,
    /// Candidates for the next level.
    pub candidates: Vec<FileInfo>,
    pub found: Vec<Noted>,
    /// The number for the next file.
    pub next_file: u64,
    /// Counts what several workers have saved together; 0 where there is one.
    pub epoch: u64,
    /// Which of several workers this is, and how many there are; 0 where there is one alone.
    pub worker: u64,
    pub workers: u64,
}

impl Manifest {
    pub const NAME: &'static str = FILE;

    /// Every file that counts.
    pub fn files(&self) -> impl Iterator<Item = &FileInfo> {
        let levels = self.levels.iter().map(|level| &level.file);
        levels.chain(&self.components).chain(&self.runs).chain(&self.candidates)
    }

    pub fn to_text(&self) -> String {
        let mut text = format!("{FIRST}{VERSION}\n");
        for (name, value) in &self.identity {
            let value = value.escape_debug();
            let _ = writeln!(text, "identity {name} {value}");
        }
        let (transitions, position, next) = (self.transitions, self.position, self.next_file);
        let _ = writeln!(text, "transitions {transitions}\nposition {position}\nnext {next}");
        if self.epoch > 0 {
            let _ = writeln!(text, "epoch {}", self.epoch);
        }
        if self.workers > 0 {
            let _ = writeln!(text, "worker {} {}", self.worker, self.workers);
        }
        let file =
            |it: &FileInfo| format!("{} {} {} {:x}", it.name, it.bytes, it.records, it.digest);
        for level in &self.levels {
            let _ = writeln!(text, "level {} {}", file(&level.file), level.states);
        }
        let lists = [
            ("components", &self.components),
            ("run", &self.runs),
            ("candidates", &self.candidates),
        ];
        for (key, files) in lists {
            files.iter().for_each(|it| _ = writeln!(text, "{key} {}", file(it)));
        }
        for Noted { what, level, position } in &self.found {
            let _ = writeln!(text, "found {what} {level} {position}");
        }
        let sum = checksum(text.as_bytes(), 0, 0);
        let _ = writeln!(text, "{SUM} {sum:016x}");
        text
    }

    pub fn of_text(text: &str) -> Result<Manifest, DiskError> {
        let damaged = |reason: &str| DiskError::damaged(FILE, reason);
        let version = text.lines().next().and_then(|line| line.strip_prefix(FIRST));
        let version = version.ok_or_else(|| damaged("it is no manifest"))?;
        if version != VERSION {
            return Err(DiskError::Other {
                what: "version of its files".to_owned(),
                then: version.to_owned(),
                now: VERSION.to_owned(),
            });
        }
        let whole = text.strip_suffix('\n').ok_or_else(|| damaged("it is cut off"))?;
        let (lines, last) = whole.split_at(whole.rfind('\n').map_or(0, |end| end + 1));
        let sum = last.split_once(' ').filter(|(key, _)| *key == SUM).map(|(_, sum)| sum);
        let expected = format!("{:016x}", checksum(lines.as_bytes(), 0, 0));
        if sum != Some(&*expected) {
            return Err(damaged("its checksum is wrong"));
        }
        let mut manifest = Manifest::default();
        for line in lines.lines().skip(1) {
            manifest.take(line).ok_or_else(|| damaged(&format!("`{line}`")))?;
        }
        Ok(manifest)
    }

    fn take(&mut self, line: &str) -> Option<()> {
        let (key, rest) = line.split_once(' ')?;
        if key == "identity" {
            let (name, value) = rest.split_once(' ').unwrap_or((rest, ""));
            self.identity.push((name.to_owned(), value.to_owned()));
            return Some(());
        }
        let words: Vec<&str> = rest.split(' ').collect();
        let number = |at: usize| words.get(at)?.parse::<u64>().ok();
        let file = || {
            let digest = u64::from_str_radix(words.get(3)?, 16).ok()?;
            let name = words.first()?.to_string();
            Some(FileInfo { name, bytes: number(1)?, records: number(2)?, digest })
        };
        match key {
            "transitions" => self.transitions = number(0)?,
            "position" => self.position = number(0)?,
            "next" => self.next_file = number(0)?,
            "epoch" => self.epoch = number(0)?,
            "worker" => (self.worker, self.workers) = (number(0)?, number(1)?),
            "level" => self.levels.push(LevelInfo { file: file()?, states: number(4)? }),
            "components" => self.components.push(file()?),
            "run" => self.runs.push(file()?),
            "candidates" => self.candidates.push(file()?),
            "found" => self.found.push(Noted {
                what: number(0)?,
                level: number(1)? as u32,
                position: number(2)?,
            }),
            _ => return None,
        }
        Some(())
    }

    /// Whether this is a search of what is asked for.
    pub fn require(&self, identity: &[(String, String)]) -> Result<(), DiskError> {
        let value = |of: &[(String, String)], name: &str| {
            of.iter()
                .filter(|it| it.0 == name)
                .map(|it| it.1.clone())
                .collect::<Vec<_>>()
                .join(", ")
        };
        let now: Vec<(String, String)> = identity
            .iter()
            .map(|(name, it)| (name.clone(), it.escape_debug().to_string()))
            .collect();
        for (name, _) in self.identity.iter().chain(&now) {
            let (then, now) = (value(&self.identity, name), value(&now, name));
            if then != now {
                return Err(DiskError::Other { what: name.clone(), then, now });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let file =
            |name: &str| FileInfo { name: name.to_owned(), bytes: 9, records: 7, digest: 255 };
        Manifest {
            identity: vec![("system".to_owned(), "a b=\"c\"\nd".to_owned())],
            transitions: 12,
            position: 3,
            levels: vec![LevelInfo { states: 1, file: file("level-0") }],
            components: vec![file("components-1")],
            runs: vec![file("run-2"), file("run-3")],
            candidates: vec![file("candidates-4")],
            found: vec![Noted { what: 1, level: 0, position: 0 }],
            next_file: 5,
            epoch: 3,
            worker: 2,
            workers: 4,
        }
    }

    #[test]
    fn a_manifest_comes_back_and_every_change_to_it_is_found() {
        let text = example().to_text();
        let back = Manifest::of_text(&text).unwrap();
        assert_eq!(
            Manifest { identity: Vec::new(), ..back.clone() },
            Manifest { identity: Vec::new(), ..example() }
        );
        back.require(&example().identity).unwrap();
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            let changed = String::from_utf8(bytes).expect("still ASCII");
            assert!(Manifest::of_text(&changed).is_err(), "byte {at}");
        }
    }

    #[test]
    fn files_of_an_older_version_are_refused_with_both_versions() {
        let text = example().to_text().replacen("search 2", "search 1", 1);
        let found = Manifest::of_text(&text).unwrap_err();
        let DiskError::Other { what, then, now } = found else { panic!("{found}") };
        assert_eq!((&*what, &*then, &*now), ("version of its files", "1", "2"));
    }

    #[test]
    fn another_identity_is_refused_with_what_differs() {
        let other = vec![("system".to_owned(), "e".to_owned())];
        let back = Manifest::of_text(&example().to_text()).unwrap();
        let found = back.require(&other).unwrap_err();
        assert!(
            matches!(&found, DiskError::Other { what, now, .. } if what == "system" && now == "e")
        );
        assert!(back.require(&[]).is_err());
    }
}
