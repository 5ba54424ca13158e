//! Labs: the command line of a student's binary, and the reference solutions of the stock binary.

pub use foresee_labs::*;

use crate::Cli;
use crate::commands::labs::{Shelf, extension};

/// The command line of a student's binary: every command, and the tests of one lab on the student's solution (`labs test`).
pub fn cli(lab: Lab) -> Cli {
    let entry = entry_of_lab(lab.clone());
    let shelf = Shelf { own: Some(lab), references: Vec::new() };
    crate::cli().extension(extension(shelf)).system(entry)
}

/// The stock binary's command line: the built-in systems, and the reference solutions of the labs with their zoos.
#[cfg(feature = "systems")]
pub fn stock() -> Cli {
    let shelf = Shelf { own: None, references: references() };
    let cli = crate::cli().stock_systems().extension(extension(shelf));
    references().into_iter().map(entry).fold(cli, Cli::system)
}

/// A reference solution as a system, with a load where the lab has one.
#[cfg(feature = "systems")]
fn entry(reference: ReferenceLab) -> crate::nodes::Entry {
    let entry = entry_of_reference(reference);
    match reference.id {
        #[cfg(feature = "solutions")]
        "lab1" => entry.load_with(foresee_lab1::load),
        #[cfg(feature = "solutions")]
        "lab2" => entry.load_with(foresee_lab2::load),
        #[cfg(feature = "solutions")]
        "lab3" => entry.load_with(foresee_lab3::load),
        #[cfg(feature = "solutions")]
        "lab4" => entry.load_with(foresee_lab4::load),
        #[cfg(feature = "solutions")]
        "lab5" => entry.load_with(foresee_lab5::load),
        _ => entry,
    }
}

/// If this process was started to shut a program in (`labs grade`): does that. To be called first thing in `main`.
#[cfg(feature = "kit")]
pub fn cell() -> Option<std::process::ExitCode> {
    foresee_grade::enter()
}

/// The labs whose reference solutions this binary has; none in a student's.
pub fn references() -> Vec<ReferenceLab> {
    #[cfg(feature = "solutions")]
    return vec![
        foresee_lab0::reference(),
        foresee_lab1::reference(),
        foresee_lab2::reference(),
        foresee_lab3::reference(),
        foresee_lab4::reference(),
        foresee_lab5::reference(),
        foresee_lab6::reference(),
    ];
    #[cfg(not(feature = "solutions"))]
    Vec::new()
}
