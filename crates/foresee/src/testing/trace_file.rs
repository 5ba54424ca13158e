//! Where a failing test saves its trace: beside what cargo builds, under the name of the system and the test.

use std::path::{Path, PathBuf};

/// `target/foresee/SYSTEM.TEST.trace`, relative to the current directory where that can be said.
pub(super) fn for_this_test(system: &str) -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().filter(|name| *name != "main").unwrap_or("test");
    let folder = target_folder().unwrap_or_else(std::env::temp_dir).join("foresee");
    // A folder that cannot be made is told by whoever writes into it.
    let _ = std::fs::create_dir_all(&folder);
    let folder = match std::env::current_dir() {
        Ok(here) => folder.strip_prefix(&here).map(Path::to_owned).unwrap_or(folder),
        Err(_) => folder,
    };
    folder.join(format!("{}.{}.trace", file_part(system), file_part(&test.replace("::", "."))))
}

/// The folder of what cargo builds: it carries a mark, and the test's binary is somewhere below it.
fn target_folder() -> Option<PathBuf> {
    let binary = std::env::current_exe().ok()?;
    let is_target = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    binary.ancestors().skip(1).find(is_target).map(Path::to_owned)
}

fn file_part(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}
