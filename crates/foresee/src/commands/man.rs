//! `foresee man DIR`: a manual page for each command, made from what `--help` says.

use clap::{ArgMatches, Args, Command, FromArgMatches};
use clap_mangen::Man;
use foresee_cli::{Desk, Extension};
use foresee_session::{Code, Diagnostic};
use std::io;
use std::path::{Path, PathBuf};

/// Write manual pages to a folder: foresee.1, foresee-check.1 and so on
///
/// For example: foresee man ~/.local/share/man/man1, then: man foresee-check
#[derive(Args, Debug)]
struct Pages {
    /// Where to write them; the folder is made if it is not there
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(super) fn extension() -> Extension {
    Extension::new(Pages::augment_args(Command::new("man")), run)
}

fn run(desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let Pages { folder } = Pages::from_arg_matches(matches).expect("clap has checked them");
    let mut command = desk.command();
    command.build();
    let mut n_pages = 0;
    match write_pages(&command, desk.program(), &folder, &mut n_pages) {
        Ok(()) => desk.print(&format!("wrote {n_pages} pages to {}\n", folder.display())),
        Err(error) => {
            let message = format!("cannot write to `{}`: {error}", folder.display());
            let help = "choose another folder";
            desk.complain(&Diagnostic::new(Code::FileNotWritten, message).help(help))
        }
    }
}

/// The page of a command and those of what is below it.
fn write_pages(
    command: &Command,
    name: &str,
    folder: &Path,
    n_pages: &mut usize,
) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut text = Vec::new();
    Man::new(command.clone()).title(name.to_uppercase()).date("").render(&mut text)?;
    std::fs::write(folder.join(format!("{name}.1")), text)?;
    *n_pages += 1;
    let shown = |it: &&Command| !it.is_hide_set() && it.get_name() != "help";
    for below in command.get_subcommands().filter(shown) {
        write_pages(below, &format!("{name}-{}", below.get_name()), folder, n_pages)?;
    }
    Ok(())
}
