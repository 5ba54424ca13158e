//! When we are wrong: a panic of our own becomes a file that says how to see it again, and exit code 2.
//! A panic in checked code is no news for the terminal: the checker catches it and makes it an event of the trace, so the
//! hook stays quiet while such code runs.

use std::backtrace::Backtrace;
use std::fmt::Write;
use std::panic::PanicHookInfo;
use std::sync::Mutex;

/// Where the first panic was written down, or what was said of it when that failed.
static FIRST: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the panic hook of the process.
pub(crate) fn install_hook(command_line: String) {
    std::panic::set_hook(Box::new(move |panic| {
        if foresee_session::observe_panic(panic) {
            return;
        }
        // One thread's panic makes others panic that wait for it; only the first is the cause.
        let mut first = FIRST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if first.is_none() {
            let file = write_down(panic, &command_line);
            *first = Some(file.unwrap_or_else(|| what(panic)));
        }
    }));
}

/// After a panic was caught: where it is written down.
pub(crate) fn first_panic() -> String {
    let mut first = FIRST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    first.take().unwrap_or_else(|| "nothing is known of it".to_owned())
}

fn write_down(panic: &PanicHookInfo<'_>, command_line: &str) -> Option<String> {
    let text = crash_text(&what(panic), command_line, &Backtrace::force_capture().to_string());
    let name = format!("foresee-crash-{}.txt", std::process::id());
    let places = [std::path::PathBuf::from(&name), std::env::temp_dir().join(&name)];
    places
        .into_iter()
        .find(|place| std::fs::write(place, &text).is_ok())
        .map(|place| place.display().to_string())
}

/// The message and the line of our code it came from.
fn what(panic: &PanicHookInfo<'_>) -> String {
    let message = foresee_session::panic_text(panic.payload());
    match panic.location() {
        Some(location) => format!("{message} ({}:{})", location.file(), location.line()),
        None => message,
    }
}

fn crash_text(what: &str, command_line: &str, backtrace: &str) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "foresee {} panicked: {what}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "\nto see it again (the options include the seed):\n  {command_line}");
    let _ = writeln!(text, "\non: {} {}", std::env::consts::OS, std::env::consts::ARCH);
    let _ = writeln!(text, "\n{backtrace}");
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_file_says_what_and_how_to_see_it_again() {
        let text = super::crash_text(
            "index out of bounds (store.rs:7)",
            "foresee check ping --seed 5",
            "0: main",
        );
        for part in ["index out of bounds (store.rs:7)", "  foresee check ping --seed 5", "0: main"]
        {
            assert!(text.contains(part), "{text}");
        }
    }
}
