//! `foresee new`: a crate to start from, with the library's sources beside it.
//! Why sources: there is no release to name yet, and a crate that builds only beside a checkout is no start. The binary carries them
//! (`build.rs`), so an installed one needs nothing but cargo.
//! Invariant: nothing is overwritten, and nothing is written unless name and folder are good.

mod name;
pub(super) mod sources;
mod template;
pub(super) mod vendored;

use clap::{ArgMatches, Args, Command, FromArgMatches};
use foresee_cli::{Desk, Extension};
use foresee_session::{Code, Diagnostic};
use std::io;
use std::path::{Path, PathBuf};

/// Write a crate to start from: a replicated register, checked, tested and run
///
/// The crate is called NAME and written to the folder DIR, with the sources of this version of foresee in DIR/vendor. Crates of others come
/// from cargo's cache or registry. Prints the commands to go on with.
#[derive(Args, Debug)]
struct New {
    /// The name of the crate
    name: String,

    /// Where to write it: a folder that is empty or not there yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Also copy the crates of others to DIR/vendor, so that the crate builds without a network; runs `cargo vendor`
    #[arg(long)]
    vendored: bool,
}

pub(super) fn extension() -> Extension {
    Extension::new(New::augment_args(Command::new("new")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let arguments = New::from_arg_matches(matches).expect("clap has checked them");
    match written(&arguments) {
        Ok(()) => desk.print(&next_steps(&arguments)),
        Err(diagnostic) => desk.complain(&diagnostic),
    }
}

fn written(arguments: &New) -> Result<(), Diagnostic> {
    let New { name, folder, vendored } = arguments;
    name::require(name)?;
    write_crate(folder, template::files(name), *vendored)
}

/// Writes these files and the library's sources to a folder that must be empty or not there yet.
pub(super) fn write_crate(
    folder: &Path,
    files: Vec<(PathBuf, Vec<u8>)>,
    vendored: bool,
) -> Result<(), Diagnostic> {
    require_empty(folder)?;
    let not_written = |error: io::Error| {
        let message = format!("cannot write to `{}`: {error}", folder.display());
        no_crate(message, "choose a folder that you may write to")
    };
    for (path, content) in files.into_iter().chain(sources::files()) {
        write(&folder.join(path), &content).map_err(not_written)?;
    }
    if vendored {
        vendored::vendor(folder)?;
    }
    Ok(())
}

fn require_empty(folder: &Path) -> Result<(), Diagnostic> {
    let shown = folder.display();
    match std::fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(no_crate(
                format!("the folder `{shown}` is not empty"),
                "name a folder that does not exist yet; nothing is ever overwritten",
            )),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(no_crate(format!("`{shown}` is a file"), "name a folder"))
        }
        Err(error) => Err(no_crate(
            format!("cannot look into `{shown}`: {error}"),
            "choose a folder that you may read and write",
        )),
    }
}

fn write(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, content)
}

pub(super) fn no_crate(message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::NoNewCrate, message).help(help)
}

/// What was made, and the four commands.
fn next_steps(arguments: &New) -> String {
    let folder = arguments.folder.display().to_string();
    format!(
        "made {} in {folder}: src/register.rs is the protocol, tests/checks.rs checks it\n\n  \
         cd {}\n  \
         cargo test                                      # every order of messages, as tests\n  \
         cargo run -- check register                     # the same by hand; `cargo run -- help` lists the commands\n  \
         cargo run -- check register reads=2 bug=hasty   # a mistake, and the shortest run that shows it\n  \
         cargo run -- run register --clients 10 --duration 5s   # for real, with figures\n\n\
         The guide is {folder}/vendor/foresee/docs/guide/README.md.\n",
        arguments.name,
        foresee_cli::quoted(&folder),
    )
}
