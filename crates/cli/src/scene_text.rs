//! The log of a simulation: one line for each scene, in the form that fits the kind of system.
//! Erlang: virtual time, who, what, and the place in the source; what the program prints stands after a bar, so that it cannot
//! be mistaken for the log. Nodes: the world's own line. Models: the number of the step, the label, who.

use crate::style::{CYAN, DIM, RED};
use foresee_session::{Scene, SceneKind};
use std::fmt::Write;

/// Lines of the log, in columns.
pub(crate) struct Log {
    /// Of the widest name so far.
    width: usize,
    is_verbose: bool,
    /// The line above, if it stands for what a library notes for itself: who acts, the library, and where it is called.
    books: Option<[Option<String>; 3]>,
}

impl Log {
    pub(crate) fn new(is_verbose: bool) -> Self {
        Log { width: 0, is_verbose, books: None }
    }

    pub(crate) fn lines(&mut self, scene: &Scene) -> String {
        let library = scene.books_of.as_ref().filter(|_| !self.is_verbose);
        let books = library
            .map(|library| [Some(scene.who.clone()), Some(library.clone()), scene.place.clone()]);
        let is_told = books.is_some() && self.books == books;
        self.books = books;
        match scene.kind {
            _ if is_told => String::new(),
            SceneKind::Network => format!("{}\n", scene.what),
            SceneKind::Transition | SceneKind::Internal => transition(scene),
            _ => self.in_columns(scene),
        }
    }

    fn in_columns(&mut self, scene: &Scene) -> String {
        if scene.kind == SceneKind::Aftermath && !self.is_verbose {
            return String::new();
        }
        self.width = self.width.max(scene.who.chars().count()).max(10);
        let who = format!("{:width$}", scene.who, width = self.width);
        let time = format!("{:>8.3}", scene.time.as_secs_f64());
        let mut text = String::new();
        let mut what = scene.what.lines();
        match scene.kind {
            SceneKind::Output => {
                for line in what {
                    let _ = writeln!(text, "{DIM}{time}{DIM:#}  {who}  {CYAN}|{CYAN:#} {line}");
                }
            }
            SceneKind::Crash => {
                let reason = what.next().unwrap_or_default();
                let _ = writeln!(text, "{DIM}{time}{DIM:#}  {who}  {RED}crashed: {reason}{RED:#}");
                for line in what {
                    let indent = " ".repeat(time.len() + self.width + 6);
                    let _ = writeln!(text, "{indent}{DIM}{line}{DIM:#}");
                }
            }
            _ => {
                let what = match &self.books {
                    Some([_, library, _]) => crate::run_text::books(library.as_deref()),
                    None => self.shortened(&scene.what),
                };
                let _ = write!(text, "{DIM}{time}{DIM:#}  {who}  {what}");
                if let Some(place) = &scene.place {
                    let _ = write!(text, "  {DIM}{place}{DIM:#}");
                }
                text.push('\n');
            }
        }
        text
    }

    fn shortened(&self, what: &str) -> String {
        const CHARACTERS_MAX: usize = 100;
        match what.char_indices().nth(CHARACTERS_MAX) {
            Some((end, _)) if !self.is_verbose => format!("{}…", &what[..end]),
            _ => what.to_owned(),
        }
    }
}

fn transition(scene: &Scene) -> String {
    let Scene { number, who, what, .. } = scene;
    let who = if who.is_empty() { String::new() } else { format!("  {DIM}{who}{DIM:#}") };
    match scene.kind {
        SceneKind::Internal => format!("{number:>4}  {DIM}{:<24}{DIM:#}{who}\n", "tau"),
        _ => format!("{number:>4}  {what:<24}{who}\n"),
    }
}
