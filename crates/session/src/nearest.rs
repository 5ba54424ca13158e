//! "Did you mean …?": the known name nearest to what was typed.

use crate::Files;
use foresee_stdx::nearest_name;

/// The nearest of `known`, if it is near enough to be meant: a slip of the finger, or a part of the name.
pub(crate) fn nearest<'a>(typed: &str, known: &[&'a str]) -> Option<&'a str> {
    nearest_name(typed, known.iter().copied()).or_else(|| {
        let part = |name: &&&str| typed.len() >= 3 && name.contains(typed);
        known.iter().find(part).copied()
    })
}

/// Help for an unknown name: the one that was probably meant, or all of them.
pub(crate) fn did_you_mean(typed: &str, known: &[&str]) -> String {
    match nearest(typed, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

/// Help for a path that names nothing: what the folder has under a similar name; `None` if nothing there is similar. A name without
/// an ending means any file that could be checked.
pub(crate) fn did_you_mean_file(path: &str, files: &dyn Files) -> Option<String> {
    const CHECKED: [&str; 4] = [".erl", ".mcrl", ".aut", ".dot"];
    let (folder, typed) = path.rsplit_once('/').unwrap_or((".", path));
    let names = files.list(if folder.is_empty() { "/" } else { folder })?;
    let is_checked = |name: &&str| CHECKED.iter().any(|ending| name.ends_with(ending));
    let all: Vec<&str> = names.iter().map(String::as_str).filter(|name| *name != typed).collect();
    let checked: Vec<&str> = all.iter().copied().filter(is_checked).collect();
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let same_stem = checked.iter().copied().find(|name| stem(name) == stem(typed));
    let by_stem = || {
        let stems: Vec<String> = checked.iter().map(|name| stem(name)).collect();
        let found = nearest_name(&stem(typed), stems.iter().map(String::as_str))?.to_owned();
        checked.iter().copied().find(|name| stem(name) == found)
    };
    let found = same_stem
        .or_else(|| nearest_name(typed, checked.iter().copied()))
        .or_else(by_stem)
        .or_else(|| nearest_name(typed, all.iter().copied()))?;
    let whole = match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{found}"),
        None => found.to_owned(),
    };
    let place = if path.contains('/') { "there" } else { "in this directory" };
    Some(format!("did you mean `{whole}`, which is {place}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_directory_are_looked_at() {
        let names = ["bank.erl", "locks/two_locks.erl", "notes.txt", "lamp.aut"];
        let files: std::collections::BTreeMap<String, String> =
            names.iter().map(|name| ((*name).to_owned(), String::new())).collect();
        let meant = |path: &str| did_you_mean_file(path, &files);
        let here = |name: &str| Some(format!("did you mean `{name}`, which is in this directory?"));
        assert_eq!(meant("bnak.erl"), here("bank.erl"));
        assert_eq!(meant("bank"), here("bank.erl"));
        assert_eq!(meant("lamp.mcrl"), here("lamp.aut"));
        assert_eq!(
            meant("locks/two_lock.erl").as_deref(),
            Some("did you mean `locks/two_locks.erl`, which is there?")
        );
        assert_eq!((meant("zebra.erl"), meant("nowhere/bank.erl")), (None, None));
    }

    #[test]
    fn a_slip_a_part_and_nonsense() {
        let known = ["ping", "paxos", "single-copy-register"];
        assert_eq!(did_you_mean("pimg", &known), "did you mean `ping`?");
        assert_eq!(nearest("register", &known), Some("single-copy-register"));
        assert_eq!(did_you_mean("zebra", &known), "there are: ping, paxos, single-copy-register");
    }
}
