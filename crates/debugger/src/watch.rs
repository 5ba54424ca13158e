//! Watching the files of a system: when one is saved, the session is replayed on what is in it now.
//! Why by looking and not by the system's notices: editors save in many ways (in place, by renaming, on other file systems), and
//! a look at a few files a few times a second costs nothing.

use crate::worker::Task;
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Watches files until the session ends. What is not on the disk now is no file of the user: headers that are built in have
/// names, too.
pub(crate) fn start(mut files: Vec<String>, tasks: mpsc::Sender<Task>) {
    files.retain(|file| std::path::Path::new(file).is_file());
    // What is saved from now on is seen, whenever the thread begins.
    let mut known = stamps(&files);
    let run = move || {
        let mut last = known.clone();
        loop {
            std::thread::sleep(LOOK_EVERY);
            let now = stamps(&files);
            // A file that is being written anew may be missing or short for a moment.
            let is_settled = now == last && now.iter().all(Option::is_some);
            last.clone_from(&now);
            if now != known && is_settled {
                known = now;
                if tasks.send(Task::Reload).is_err() {
                    return;
                }
            }
        }
    };
    let _ = std::thread::Builder::new().name("watch".to_owned()).spawn(run);
}

/// When each file was written last, and its length.
fn stamps(files: &[String]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &String| {
        let data = std::fs::metadata(file).ok()?;
        Some((data.modified().ok()?, data.len()))
    };
    files.iter().map(stamp).collect()
}
