//! The command line of state spaces and formulas as data: `lts`, its questions, and what it shares with other commands.
//! Not here: doing any of it (`lts`).

use crate::args::{DebugFlag, Faults, Limits, Output, What};
use clap::{ArgMatches, Args, Command, FromArgMatches, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `foresee lts WHAT …`, or a question: `foresee lts compare A B`, `foresee lts info FILE`.
#[derive(Debug)]
pub(crate) enum Lts {
    Generate(Box<Generate>),
    Ask(Question),
}

/// By hand, because a command with arguments of its own and subcommands is one or the other.
impl Args for Lts {
    fn augment_args(command: Command) -> Command {
        Question::augment_subcommands(Generate::augment_args(command))
            .subcommand_required(false)
            .arg_required_else_help(false)
            .subcommand_negates_reqs(true)
            .args_conflicts_with_subcommands(true)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Lts {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(match matches.subcommand_name() {
            Some(_) => Lts::Ask(Question::from_arg_matches(matches)?),
            None => Lts::Generate(Box::new(Generate::from_arg_matches(matches)?)),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Question {
    Compare(Compare),
    Info(Info),
}

/// Generate the state space of a system and write it as .aut or .dot; compare two, or look at one
///
/// Without -o only the figures and the labels are printed. States are numbered in breadth-first order; the same input gives the same
/// bytes. If a limit is reached the verdict is `inconclusive` (exit code 3), and in the file each state whose transitions are
/// missing has a loop labelled `foresee:incomplete`.
#[derive(Args, Debug)]
pub(crate) struct Generate {
    #[command(flatten)]
    pub(crate) what: What,

    /// Where to write it: FILE.aut, FILE.dot, or - for standard output, as .aut [default: nowhere]
    #[arg(long = "output", short = 'o', value_name = "FILE", help_heading = "State space")]
    pub(crate) file: Option<PathBuf>,

    /// Write the smallest state space that cannot be told apart from it, for a way of telling apart [default: the whole]
    #[arg(long, value_enum, value_name = "EQUIVALENCE", help_heading = "State space")]
    pub(crate) reduce: Option<Equivalence>,

    /// How the internal step is spelt in .aut
    #[arg(long, value_enum, default_value_t = Tau::Tau, help_heading = "State space")]
    pub(crate) tau: Tau,

    #[command(flatten)]
    pub(crate) labels: Labels,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) faults: Faults,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Labels: what can be seen of a system from the outside
#[derive(Args, Debug)]
#[command(next_help_heading = "Labels")]
pub(crate) struct Labels {
    /// Hide labels of these names, or whole labels; * stands for anything. They become internal steps [default: none]
    #[arg(long, value_name = "NAME,…")]
    pub(crate) hide: Vec<String>,

    /// Show these labels although --hide hides them; for Erlang also kinds of events that have no label else: send, receive, spawn,
    /// exit, timeout, timer, deliver, supervisor, operation [default: calls, casts, infos, replies, crashes, actions]
    #[arg(long, value_name = "NAME,…")]
    pub(crate) show: Vec<String>,

    /// This label is the internal step, wherever it stands: `--internal i` for files written by CADP. Formulas may write it so too
    /// [default: only tau is]
    #[arg(long, value_name = "LABEL")]
    pub(crate) internal: Vec<String>,
}

impl Labels {
    pub(crate) fn to_session(&self) -> foresee_session::LabelOptions {
        let all = |words: &[String]| words.iter().flat_map(|word| names(word)).collect();
        let (show, hide) = (all(&self.show), all(&self.hide));
        foresee_session::LabelOptions { show, hide, internal: self.internal.clone() }
    }
}

/// The parts between commas; a label may have commas of its own, inside brackets.
fn names(word: &str) -> Vec<String> {
    let mut depth = 0i32;
    let is_separator = |c: char| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth <= 0
    };
    let parts = word.split(is_separator).map(str::trim);
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Say whether two models are equivalent: exit code 0 if so, 1 if not, with what tells them apart
#[derive(Args, Debug)]
pub(crate) struct Compare {
    /// A file: .aut, .mcrl or .dot
    #[arg(value_name = "A")]
    pub(crate) left: String,

    /// Another
    #[arg(value_name = "B")]
    pub(crate) right: String,

    /// When two states count as the same
    #[arg(long, value_enum, default_value_t = Equivalence::Strong)]
    pub(crate) equivalence: Equivalence,

    #[command(flatten)]
    pub(crate) labels: Labels,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Print what can be said of a model at a glance: sizes, labels, deadlocks and livelocks with shortest runs
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// A file: .aut, .mcrl or .dot
    #[arg(value_name = "FILE")]
    pub(crate) file: String,

    #[command(flatten)]
    pub(crate) labels: Labels,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) output: Output,
}

/// Check formulas on what a system does, seen from the outside: mu-calculus, or ready patterns
///
/// Formulas are checked on the fly: the search stops as soon as the answer is known. The answer comes with its reason: a shortest run
/// where that is enough (saved as a trace that `replay` takes), a part of the state space otherwise. The guide's chapter on
/// formulas explains both notations.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("formulas").required(true).multiple(true).args(["property", "formula", "pattern"]))]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) what: What,

    /// A file with a formula: in mCRL2's notation if it ends in .mcf, else in the paper's; give it several times for several
    /// [default: none; one formula is needed]
    #[arg(long, value_name = "FILE", help_heading = "Formulas")]
    pub(crate) property: Vec<String>,

    /// A formula, as '[-*] <-> true'; give it several times for several [default: none]
    #[arg(long, value_name = "TEXT", help_heading = "Formulas")]
    pub(crate) formula: Vec<String>,

    /// A ready property with its arguments, as 'response(ask, answer)' (`patterns` lists them); give it several times for several
    /// [default: none]
    #[arg(long, value_name = "NAME(ARGUMENT,…)", help_heading = "Formulas")]
    pub(crate) pattern: Vec<String>,

    #[command(flatten)]
    pub(crate) labels: Labels,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) faults: Faults,

    /// Where to save the run that is the reason [default: SYSTEM.1.trace, … if a formula is violated; nowhere if it holds]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Write the part of the state space that is the reason: FILE.aut or FILE.dot [default: nowhere]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) evidence: Option<PathBuf>,

    /// Also write a page with everything: figures, and for each violation its picture and story [default: none]
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) debug: DebugFlag,
}

/// List the ready properties for `verify --pattern`, or print the page of one
#[derive(Args, Debug)]
pub(crate) struct Patterns {
    /// The pattern to explain [default: list all]
    pub(crate) name: Option<String>,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Equivalence {
    /// Each step of one is matched by a step of the other, internal steps too
    Strong,
    /// Internal steps that change nothing are invisible
    Branching,
    /// The same, but a cycle of internal steps is not invisible
    #[value(name = "divergence-preserving-branching", alias = "divergence-branching")]
    DivergencePreservingBranching,
    /// The same sequences of visible labels
    WeakTrace,
    /// The same sequences of labels
    Trace,
}

impl Equivalence {
    pub(crate) fn to_session(self) -> foresee_session::Equivalence {
        match self {
            Equivalence::Strong => foresee_session::Equivalence::Strong,
            Equivalence::Branching => foresee_session::Equivalence::Branching,
            Equivalence::DivergencePreservingBranching => {
                foresee_session::Equivalence::DivergencePreservingBranching
            }
            Equivalence::WeakTrace => foresee_session::Equivalence::WeakTrace,
            Equivalence::Trace => foresee_session::Equivalence::Trace,
        }
    }
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Tau {
    /// `tau`, as mCRL2 has it
    Tau,
    /// `i`, as CADP has it
    I,
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_are_parted_at_commas_outside_of_brackets() {
        assert_eq!(super::names("call(a,[b,c]), crash*,,"), ["call(a,[b,c])", "crash*"]);
    }
}
