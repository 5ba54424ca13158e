//! The project's chores: one command for each, the same on every machine.
//! `ci` is what must pass before anything is called done; `tidy` keeps the written map true; `bench` measures against
//! the peer; `corfu` measures the chapter on CORFU; `mutants` tests the tests, `soundness` the engines, `zoo` the labs;
//! `web` builds the debugger's page.

#![allow(
    clippy::disallowed_methods,
    reason = "an edge: it reads files, the clock and the environment"
)]

mod all_tests;
mod ci;
mod corfu;
mod erlang_oracle;
mod executables;
mod kill_and_resume;
mod kit;
mod layers;
mod mutants;
mod once;
mod otp_exports;
mod sameness;
mod soundness;
mod tidy;
mod waist;
mod web;

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const USAGE: &str = "usage: cargo xtask COMMAND

  ci               format, lints, tests, tidy, the page, licences: all that must pass
  tests            all tests of the workspace, as many executables at once as there are cores, and each one's time
  tidy             headers, layers, documents in step, no leftovers
  bench [NAME …]   measure, one JSON line a case (all cases without a name): nodes against Stateright; `stateful`, the
                   search over states with one thread and two, growth, reductions, and beside Spin if there is one; `erlang`, the front
                   end against its floors and an installed Erlang; `erlang-dpor`, interleavings against floors; `logic`,
                   state spaces against floors and merc_reduction; `runtime [SECONDS]`, nodes run for real beside an echo of the
                   same framing, recording, and the judging of histories; `labs [--table] [--walks SECONDS]`, the labs' searches and
                   tests, and a paper's figures for its own
  corfu            measure the CORFU study and print its tables beside the paper's; --write puts them into the guide, --check holds
                   the guide's counts against them
  mutants [NAME …] plant seeded bugs (all listed ones without a name) and see that the tests catch them; --mechanical N --seed S draws N
                   more; --crate C takes only those of a crate; --resume goes on with a run that was stopped, --missed tries what it
                   missed; --time-max 90m, --jobs 2; --write puts the table into docs/mutations.md
  soundness        every two shapes of visible operations meet, and every engine is held against every other: [--programs N]
                   [--erlang N] [--nodes N] [--time-max 60m] [--jobs 2] [--resume]
  fuzz [TARGET …]  feed every reader of text with mutations of its corpus, two readers at a time; --minutes N (10) of processor time for
                   each, --seed N (1); what is found is kept under fuzz/regressions and stays a test
  zoo [LAB|ID …]   run the labs' tests on every bug of their zoos and print who found what; --all-tests lists every test that does;
                   --print LAB prints a reference solution without its zoo; --times LAB [ID] lists what each test says and takes
  kill-and-resume  kill a search on disk at random moments, take it up again and compare the answer: [--times 20] [--seed 1]
                   [--processes N] [--binary PATH] [WHAT …], two-phase-commit rms=6 without one; with --processes one of several
                   processes is killed, or all, and another number of them goes on
  sameness         searches in memory, on disk and by several processes give one answer: [--binary PATH] [--only TEXT]
  web              build the debugger's page into crates/debugger/web/dist; --check builds it again and compares bytes
  kit              a new user's path without a network: `new`, tests, check, run; then what cold builds cost; --path-only
                   leaves the builds out
  erlang-oracle    compare our Erlang with an installed one over the corpus; --write takes its answers
  otp-exports      write the list of what OTP's modules export, from an installed OTP 25";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = words.split_first().map_or(("", &[][..]), |(c, rest)| (c.as_str(), rest));
    match command {
        "ci" => ci::run(&root()?),
        "tests" => all_tests::build(&root()?).and_then(|built| all_tests::run(&root()?, &built)),
        "tidy" => tidy::run(&root()?),
        "bench" => bench(&root()?, rest),
        "corfu" => corfu::run(&root()?, rest),
        "mutants" => mutants::run(&root()?, rest),
        "soundness" => soundness::run(&root()?, rest),
        "fuzz" => fuzz(&root()?, rest),
        "zoo" => zoo(&root()?, rest),
        "kill-and-resume" => kill_and_resume::run(&root()?, rest),
        "sameness" => sameness::run(&root()?, rest),
        "web" => web::run(&root()?, rest),
        "kit" => kit::run(&root()?, rest),
        "otp-exports" => otp_exports::run(&root()?, rest),
        "erlang-oracle" => erlang_oracle::run(&root()?, rest),
        "" | "help" | "--help" | "-h" => {
            println!("{USAGE}");
            Ok(())
        }
        _ => bail!("there is no chore `{command}`\n{USAGE}"),
    }
}

/// The folder of the workspace.
fn root() -> Result<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    Ok(here.parent().context("xtask stands in the workspace")?.to_owned())
}

/// Builds with optimisation and measures; the binary itself says what it cannot find.
fn bench(root: &Path, names: &[String]) -> Result<()> {
    if let [name, rest @ ..] = names
        && name == "runtime"
    {
        // It stands apart: nothing but nodes and the runtime is built for it.
        let mut arguments = vec!["run", "--release", "--quiet", "--package", "foresee-runtime"];
        arguments.extend(["--example", "speed", "--"]);
        arguments.extend(rest.iter().map(String::as_str));
        return cargo(root, &arguments);
    }
    if let [name, rest @ ..] = names
        && name == "labs"
    {
        let mut arguments = vec!["run", "--release", "--quiet", "--package", "foresee-zoo", "--"];
        arguments.push("--bench");
        arguments.extend(rest.iter().map(String::as_str));
        return cargo(root, &arguments);
    }
    let mut arguments = vec!["run", "--release", "--quiet", "--package", "foresee-bench", "--"];
    arguments.extend(names.iter().map(String::as_str));
    cargo(root, &arguments)
}

/// Assertions and checks of overflow stay on, so that more is found.
fn fuzz(root: &Path, words: &[String]) -> Result<()> {
    let mut arguments = vec!["run", "--quiet", "--package", "foresee-fuzz", "--"];
    arguments.extend(words.iter().map(String::as_str));
    cargo(root, &arguments)
}

/// With optimisation: searches are what takes the time.
fn zoo(root: &Path, words: &[String]) -> Result<()> {
    let mut arguments = vec!["run", "--release", "--quiet", "--package", "foresee-zoo", "--"];
    arguments.extend(words.iter().map(String::as_str));
    cargo(root, &arguments)
}

/// Runs cargo and fails when it does.
fn cargo(root: &Path, arguments: &[&str]) -> Result<()> {
    let status = cargo_command(root, arguments).status().context("cargo does not start")?;
    if !status.success() {
        bail!("`cargo {}` failed", arguments.join(" "));
    }
    Ok(())
}

fn cargo_command(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root);
    // A build server starts cold: nothing is gained by what incremental builds keep, and it is gigabytes.
    if std::env::var_os("CI").is_some() && std::env::var_os("CARGO_INCREMENTAL").is_none() {
        command.env("CARGO_INCREMENTAL", "0");
    }
    command
}
