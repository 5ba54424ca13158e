//! `foresee labs`: the teaching labs. In a student's binary they are about the student's solution; in the stock binary about the
//! reference solutions, and in a student's folder they hand over to the student's binary.
//! Exit codes of `labs test`: 0 every test passed, 1 something is wrong, 2 it could not be tested, 3 something is not known.

#[cfg(feature = "kit")]
mod grade;
#[cfg(feature = "kit")]
mod kit;
#[cfg(feature = "kit")]
mod new;
#[cfg(feature = "runtime")]
mod real;

use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum};
use foresee_cli::{Desk, Extension};
use foresee_labs::{
    Category, Lab, ReferenceLab, Results, Selection, Specimen, SpecimenKind, Switch, TestResult,
    result_text, run_tests, select, summary_text, to_gradescope, to_json, to_junit,
};
use foresee_session::{Code, Diagnostic};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the command knows of labs.
#[derive(Clone, Default)]
pub(crate) struct Shelf {
    /// The lab of a student's binary, on the student's solution.
    pub(crate) own: Option<Lab>,
    /// The reference solutions.
    pub(crate) references: Vec<ReferenceLab>,
}

/// The teaching labs: list them, test a solution, look at a failure
#[derive(Args, Debug)]
struct Labs {
    #[command(subcommand)]
    command: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The labs there are, their tests, and the bugs of their zoos
    List(List),
    /// Write a student's folder: handout, skeleton, the library and the lab's tests
    ///
    /// Crates of others come from cargo's cache or registry, or with --vendored from the folder itself. Prints how to go on.
    #[cfg(feature = "kit")]
    New(new::New),
    /// Run the tests of a lab and give points
    ///
    /// In a folder made by `labs new` the solution in it is built and tested; with --lab, the reference solution of this binary.
    Test(Test),
    /// Grade a class: build and test one submission a folder, shut in and with limits
    ///
    /// Writes for each student results.json, gradescope.json, junit.xml, log.txt and traces, and for the class summary.csv, statistics.csv
    /// and timing.csv. Grading again gives the same bytes, except in timing.csv. Exit code: 0 graded, 2 could not grade.
    #[cfg(feature = "kit")]
    Grade(grade::Grade),
    /// Open the visual debugger on the failure of a test, or on its world if it has not failed
    Debug(Debug),
}

#[derive(Args, Debug)]
struct List {
    /// Also list the tests and the bugs of this lab
    #[arg(value_name = "LAB")]
    lab: Option<String>,
}

#[derive(Args, Debug)]
struct Test {
    /// Only these tests: PART.NUMBER, or PART for all of a part [default: all]
    #[arg(value_name = "PART.NUMBER")]
    numbers: Vec<String>,

    /// Only tests of this category
    #[arg(long, value_enum, value_name = "WHAT")]
    category: Option<Kind>,

    /// Where the random choices of runs come from
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Run the tests that are runs for real: on sockets and the clock of this machine. Others are left out
    #[cfg(feature = "runtime")]
    #[arg(long, conflicts_with = "debug")]
    real: bool,

    /// Stop at the first failure and open the visual debugger on it
    #[arg(long)]
    debug: bool,

    /// Test the reference solution of this lab [default: the solution in this folder]
    #[arg(long, value_name = "LAB")]
    lab: Option<String>,

    /// With --lab: switch on this bug of its zoo, or this innocent variant [default: none]
    #[arg(long, value_name = "ID", requires = "lab")]
    bug: Option<String>,

    /// Where to write a trace for each failure
    #[arg(long, value_name = "DIR", default_value = "traces")]
    traces: PathBuf,

    /// How to print the results
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Args, Debug)]
struct Debug {
    /// The test
    #[arg(value_name = "PART.NUMBER")]
    number: String,

    /// Of the reference solution of this lab [default: the solution in this folder]
    #[arg(long, value_name = "LAB")]
    lab: Option<String>,

    /// Where traces of failures are
    #[arg(long, value_name = "DIR", default_value = "traces")]
    traces: PathBuf,

    /// Further flags for `debug`, after `--`: --listen, --no-open, --token
    #[arg(last = true, value_name = "FLAGS")]
    flags: Vec<String>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Kind {
    Unit,
    Run,
    Unreliable,
    Search,
}

impl Kind {
    fn category(self) -> Category {
        match self {
            Kind::Unit => Category::Unit,
            Kind::Run => Category::Run,
            Kind::Unreliable => Category::Unreliable,
            Kind::Search => Category::Search,
        }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
    Junit,
    Gradescope,
}

pub(crate) fn extension(shelf: Shelf) -> Extension {
    let shelf = Arc::new(shelf);
    Extension::new(Labs::augment_args(Command::new("labs")), move |desk, matches| {
        run(&shelf, desk, matches)
    })
}

fn run(shelf: &Shelf, desk: &Desk<'_>, matches: &ArgMatches) -> u8 {
    let labs = match Labs::from_arg_matches(matches) {
        Ok(labs) => labs,
        Err(error) => error.exit(),
    };
    let done = match &labs.command {
        What::List(arguments) if shelf.is_listed_elsewhere(arguments) => hand_over(),
        What::List(arguments) => shelf.list(arguments).map(|text| desk.print(&text)),
        #[cfg(feature = "kit")]
        What::New(arguments) => new::new(arguments).map(|text| desk.print(&text)),
        #[cfg(feature = "kit")]
        What::Grade(arguments) => grade::run(desk, arguments),
        What::Test(arguments) if shelf.is_elsewhere(arguments.lab.as_deref()) => hand_over(),
        What::Test(arguments) => test(shelf, desk, arguments),
        What::Debug(arguments) if shelf.is_elsewhere(arguments.lab.as_deref()) => hand_over(),
        What::Debug(arguments) => debug(shelf, desk, arguments),
    };
    done.unwrap_or_else(|diagnostic| desk.complain(&diagnostic))
}

impl Shelf {
    /// Whether the solution that is meant is not in this binary.
    fn is_elsewhere(&self, lab: Option<&str>) -> bool {
        self.own.is_none() && lab.is_none()
    }

    /// Whether the tests that are asked for are those of the student's folder that this is, and not in this binary.
    fn is_listed_elsewhere(&self, arguments: &List) -> bool {
        let is_here = self.own.is_some() || !self.references.is_empty();
        !is_here && arguments.lab.is_some() && arguments.lab == lab_of_folder()
    }

    fn reference(&self, id: &str) -> Result<&ReferenceLab, Diagnostic> {
        self.references.iter().find(|reference| reference.id == id).ok_or_else(|| {
            let known: Vec<&str> = self.references.iter().map(|reference| reference.id).collect();
            Diagnostic::new(Code::UnknownSystem, format!("there is no lab `{id}`"))
                .help(format!("labs with a solution in this binary: {}", known.join(", ")))
        })
    }

    /// The lab that is meant, and what a user types for its worlds.
    fn meant(&self, lab: Option<&str>, bug: Option<&str>) -> Result<(Lab, String), Diagnostic> {
        let Some(id) = lab else {
            let own = self.own.clone().expect("asked before");
            let system = own.id.to_owned();
            return Ok((own, system));
        };
        let reference = self.reference(id)?;
        let Some(bug) = bug else {
            return Ok(((reference.make)(Switch::off()), reference.plain_name()));
        };
        let known = reference.zoo.iter().find(|specimen| specimen.id == bug).ok_or_else(|| {
            let ids: Vec<&str> = reference.zoo.iter().map(|specimen| specimen.id).collect();
            Diagnostic::new(Code::BadParameterValue, format!("`{id}` has no bug `{bug}`"))
                .help(format!("it has {}", ids.join(", ")))
        })?;
        Ok(((reference.make)(Switch::on(known.id)), reference.system_name(known)))
    }

    fn list(&self, arguments: &List) -> Result<String, Diagnostic> {
        let mut text = String::new();
        if self.own.is_none() && self.references.is_empty() {
            return list_kits(arguments);
        }
        match &arguments.lab {
            None => {
                for lab in self.all() {
                    let _ = writeln!(
                        text,
                        "{}  {:<44} {:>2} tests, {} points",
                        lab.id,
                        lab.title,
                        lab.tests.len(),
                        lab.points()
                    );
                }
                text.push_str("`labs list LAB` lists the tests of one, and the bugs of its zoo\n");
            }
            Some(id) => {
                let own = self.own.clone().filter(|own| own.id == id);
                let lab = match own {
                    Some(own) => own,
                    None => (self.reference(id)?.make)(Switch::off()),
                };
                tests_of(&lab, &mut text);
                if let Ok(reference) = self.reference(id) {
                    zoo_of(reference.zoo, &mut text);
                }
            }
        }
        Ok(text)
    }

    fn all(&self) -> Vec<Lab> {
        let references = self.references.iter().map(|reference| (reference.make)(Switch::off()));
        self.own.clone().into_iter().chain(references).collect()
    }
}

/// What a binary without solutions knows of the labs: there are no tests without a solution to test.
#[cfg(feature = "kit")]
fn list_kits(arguments: &List) -> Result<String, Diagnostic> {
    match &arguments.lab {
        None => {
            let lines = kit::all().into_iter().map(|kit| format!("{}  {}\n", kit.id, kit.title()));
            Ok(lines.collect::<String>() + "`labs new LAB DIR` writes a folder to work in\n")
        }
        Some(id) => {
            let kit = kit::named(id)?;
            let message = format!("the tests of {} are in a student's folder", kit.id);
            let help = format!("`labs new {} DIR`, then in DIR: `labs list {}`", kit.id, kit.id);
            Err(Diagnostic::new(Code::OptionDoesNotApply, message).help(help))
        }
    }
}

#[cfg(not(feature = "kit"))]
fn list_kits(_: &List) -> Result<String, Diagnostic> {
    Ok("this binary has no labs\n".to_owned())
}

fn tests_of(lab: &Lab, text: &mut String) {
    let _ = writeln!(text, "{}: {}", lab.id, lab.title);
    for part in &lab.parts {
        let _ = writeln!(text, "part {}: {}", part.number, part.title);
        for test in lab.tests.iter().filter(|test| test.number.part == part.number) {
            let categories: Vec<&str> = test.categories.iter().map(|it| it.word()).collect();
            let _ = writeln!(
                text,
                "  {:<5} {:<58} {:<16} {:>2} points",
                test.number.to_string(),
                test.name,
                categories.join(", "),
                test.points
            );
        }
    }
}

fn zoo_of(zoo: &[Specimen], text: &mut String) {
    text.push_str("the zoo (S safety, L liveness, P cost, D determinism, - innocent):\n");
    for specimen in zoo {
        let what = if specimen.kind == SpecimenKind::Innocent { "variant" } else { "bug" };
        let _ = writeln!(
            text,
            "  {} {what}={:<20} {}",
            specimen.kind.letter(),
            specimen.id,
            specimen.sentence
        );
    }
}

fn test(shelf: &Shelf, desk: &Desk<'_>, arguments: &Test) -> Result<u8, Diagnostic> {
    let (lab, system) = shelf.meant(arguments.lab.as_deref(), arguments.bug.as_deref())?;
    let selection = Selection {
        numbers: arguments.numbers.clone(),
        category: arguments.category.map(Kind::category),
    };
    let tests = select(&lab, &selection)
        .map_err(|message| Diagnostic::new(Code::BadParameterValue, message))?;
    let is_text = arguments.format == Format::Text;
    let mut trouble = None;
    let mut failed = None;
    let mut results = Results::new(&lab, arguments.seed);
    for test in tests {
        let mut after = |result: &mut TestResult| {
            trouble = trouble.take().or(keep_trace(result, &lab, &arguments.traces).err());
            if is_text {
                desk.print(&result_text(
                    result,
                    &again(desk, arguments, result),
                    &look(desk, arguments, result),
                ));
            }
            if result.trace_file.is_some() {
                failed.get_or_insert(result.number.to_string());
            }
        };
        #[cfg(feature = "runtime")]
        if arguments.real {
            if let Some(mut result) = real::carry_out(&system, test, arguments.seed) {
                after(&mut result);
                results.tests.push(result);
            }
            continue;
        }
        let one = run_tests(&lab, &system, &[test], arguments.seed, &mut after);
        results.tests.extend(one.tests);
        if arguments.debug && failed.is_some() {
            break;
        }
    }
    let code = show(desk, arguments, &results);
    if let Some(diagnostic) = trouble {
        return Err(diagnostic);
    }
    match failed.filter(|_| arguments.debug) {
        Some(number) => debugger(&trace_file(&arguments.traces, &lab, &number), &[]),
        None => Ok(code),
    }
}

fn show(desk: &Desk<'_>, arguments: &Test, results: &Results) -> u8 {
    let text = match arguments.format {
        Format::Text => summary_text(results),
        Format::Json => to_json(results) + "\n",
        Format::Junit => to_junit(results),
        Format::Gradescope => to_gradescope(results) + "\n",
    };
    match desk.print(&text) {
        0 => results.exit_code(),
        not_printed => not_printed,
    }
}

/// Writes the trace of a failure where `labs debug` looks for it.
fn keep_trace(result: &mut TestResult, lab: &Lab, folder: &Path) -> Result<(), Diagnostic> {
    let Some(trace) = &result.trace else { return Ok(()) };
    let file = trace_file(folder, lab, &result.number.to_string());
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, trace.to_string()));
    written.map_err(|error| {
        Diagnostic::new(Code::FileNotWritten, format!("{}: {error}", file.display()))
            .help("give another folder with --traces")
    })?;
    result.trace_file = Some(file.display().to_string());
    Ok(())
}

fn trace_file(folder: &Path, lab: &Lab, number: &str) -> PathBuf {
    folder.join(format!("{}-{number}.trace", lab.id))
}

/// What to type to run one test again.
fn again(desk: &Desk<'_>, arguments: &Test, result: &TestResult) -> String {
    let bug = arguments.bug.as_ref().map(|bug| format!(" --bug {bug}")).unwrap_or_default();
    format!(
        "{} labs test {}{}{bug} --seed {}{}",
        desk.program(),
        result.number,
        of_lab(&arguments.lab),
        arguments.seed,
        if result.trace.is_some() { " --debug" } else { "" }
    )
}

/// What to type to look at its failure.
fn look(desk: &Desk<'_>, arguments: &Test, result: &TestResult) -> String {
    format!("{} labs debug {}{}", desk.program(), result.number, of_lab(&arguments.lab))
}

fn of_lab(lab: &Option<String>) -> String {
    lab.as_ref().map(|lab| format!(" --lab {lab}")).unwrap_or_default()
}

fn debug(shelf: &Shelf, desk: &Desk<'_>, arguments: &Debug) -> Result<u8, Diagnostic> {
    let (lab, system) = shelf.meant(arguments.lab.as_deref(), None)?;
    let selection = Selection { numbers: vec![arguments.number.clone()], category: None };
    select(&lab, &selection)
        .map_err(|message| Diagnostic::new(Code::BadParameterValue, message))?;
    let file = trace_file(&arguments.traces, &lab, &arguments.number);
    if file.exists() {
        return debugger(&file, &arguments.flags);
    }
    desk.note(&format!(
        "no trace of a failure ({}): the world of the test is opened",
        file.display()
    ));
    let mut words: Vec<String> = system.split(' ').map(str::to_owned).collect();
    words.insert(1, format!("test={}", arguments.number));
    start(
        std::env::current_exe().map(std::process::Command::new),
        ["debug".to_owned()].into_iter().chain(words).chain(arguments.flags.iter().cloned()),
    )
}

/// The visual debugger on a trace: this binary again, so that Ctrl-C and the page work as always.
fn debugger(file: &Path, flags: &[String]) -> Result<u8, Diagnostic> {
    let words = ["debug".to_owned(), file.display().to_string()].into_iter();
    start(
        std::env::current_exe().map(std::process::Command::new),
        words.chain(flags.iter().cloned()),
    )
}

/// The lab that this folder holds a solution of.
fn lab_of_folder() -> Option<String> {
    let text = std::fs::read_to_string("Cargo.toml").ok()?;
    let mut lines = text.lines().skip_while(|line| line.trim() != "[package.metadata.foresee-lab]");
    let (key, value) = lines.nth(1)?.split_once('=')?;
    (key.trim() == "lab").then(|| value.trim().trim_matches('"').to_owned())
}

/// In a student's folder: the student's binary is built and does the rest.
fn hand_over() -> Result<u8, Diagnostic> {
    if lab_of_folder().is_none() {
        let message = "this folder holds no solution of a lab";
        return Err(Diagnostic::new(Code::OptionDoesNotApply, message).help(
            "go to a folder made by `labs new`, or give --lab LAB to test a reference solution",
        ));
    }
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words = ["run", "--quiet", "--release", "--"].map(str::to_owned).into_iter();
    start(Ok(std::process::Command::new(cargo)), words.chain(std::env::args().skip(1)))
}

fn start(
    program: std::io::Result<std::process::Command>,
    words: impl Iterator<Item = String>,
) -> Result<u8, Diagnostic> {
    let status = program.and_then(|mut program| program.args(words).status());
    match status {
        Ok(status) => Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(2)),
        Err(error) => Err(Diagnostic::new(
            Code::OptionDoesNotApply,
            format!("it could not be started: {error}"),
        )
        .help("is `cargo` installed and on the path?")),
    }
}
