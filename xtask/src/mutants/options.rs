//! The words after `cargo xtask mutants`.

use anyhow::{Context, Result, bail};
use std::time::Duration;

/// What to plant and how long to go on.
#[derive(Debug)]
pub(super) struct Options {
    /// Listed bugs whose names contain one of these; all if there are none.
    pub(super) names: Vec<String>,
    /// Only bugs in these crates; all if there are none.
    pub(super) rooms: Vec<String>,
    /// So many bugs are drawn, besides the listed ones.
    pub(super) mechanical: usize,
    pub(super) seed: u64,
    /// Takes over results that are still valid.
    pub(super) resume: bool,
    /// Takes over every bug that was caught, whatever has changed since: for closing gaps one after the other.
    pub(super) missed: bool,
    pub(super) time_max: Option<Duration>,
    pub(super) jobs: usize,
    pub(super) write: bool,
}

impl Options {
    pub(super) fn read(words: &[String]) -> Result<Options> {
        let mut options = Options {
            names: Vec::new(),
            rooms: Vec::new(),
            mechanical: 0,
            seed: 1,
            resume: false,
            missed: false,
            time_max: None,
            jobs: 2,
            write: false,
        };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--mechanical" => options.mechanical = value()?.parse()?,
                "--seed" => options.seed = value()?.parse()?,
                "--crate" => options.rooms.push(value()?.clone()),
                "--time-max" => options.time_max = Some(duration(value()?)?),
                "--jobs" => options.jobs = value()?.parse::<usize>()?.max(1),
                "--resume" => options.resume = true,
                "--missed" => options.missed = true,
                "--write" => options.write = true,
                _ if word.starts_with('-') => bail!("mutants has no option {word}"),
                _ => options.names.push(word.clone()),
            }
        }
        Ok(options)
    }

    /// Whether bugs of a crate are wanted.
    pub(super) fn has_room(&self, room: &str) -> bool {
        self.rooms.is_empty() || self.rooms.iter().any(|it| it == room)
    }

    /// Whether a listed bug is wanted.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|it| name.contains(it.as_str()))
    }
}

/// A time such as `90m`, `45s` or `2h`.
fn duration(text: &str) -> Result<Duration> {
    let (number, unit) = text.split_at(text.len() - usize::from(!text.is_empty()));
    let seconds = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        _ => bail!("`{text}` is no time: write 45s, 90m or 2h"),
    };
    let number: u64 = number.parse().with_context(|| format!("`{text}` is no time"))?;
    Ok(Duration::from_secs(number * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_options_or_names() {
        let words = ["store", "--mechanical", "7", "--time-max", "90m", "--resume"];
        let options = Options::read(&words.map(str::to_owned)).unwrap();
        assert_eq!((options.mechanical, options.seed, options.resume), (7, 1, true));
        assert_eq!(options.time_max, Some(Duration::from_secs(5400)));
        assert!(options.has_name("a-store-of-states") && !options.has_name("a-tree"));
        assert!(Options::read(&["--fast".to_owned()]).is_err());
        assert!(Options::read(&["--time-max".to_owned(), "".to_owned()]).is_err());
    }
}
