//! What each kind of system takes: flags, engines, exports. What it does not take is refused with one sentence made here.
//! Why a table: a refusal that stands where a request is carried out is forgotten for the next kind of system, and the user
//! is then told nothing or something untrue. A new feature does not compile until every kind has its answer.

use super::{Kind, Source};
use crate::{Code, Diagnostic, Engine, Export};

/// Something that can be asked of a system and that not every kind takes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Feature {
    /// Where an Erlang program starts, how it runs and what counts as an error.
    ErlangOptions,
    /// Crashes of the members that are named.
    Crashes,
    /// At which operations a process crashes, and whether its supervisor hears of it.
    ProcessCrashes,
    /// Messages lost and doubled, networks split, nodes restarted: so many at most.
    NetworkFaults,
    /// Whether handlers are deterministic.
    CodeCheck,
    /// Processes of a specification merged by what they will do.
    MergePositions,
    /// A simulation that stops at a virtual time.
    VirtualTime,
    /// A simulation on a network that loses and doubles messages at random.
    RandomFaults,
    /// A simulation that prints only what the program prints.
    ProgramOutput,
    /// Processes that take turns.
    Turns,
    Engine(Engine),
    Export(Export),
}

/// Why a system does not take something, and what to do instead.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Refusal {
    pub why: String,
    pub help: &'static str,
}

const LEAVE_IT_OUT: &str = "leave it out";

impl Kind {
    /// Whether systems of this kind take it.
    ///
    /// ```
    /// use foresee_session::{Engine, Export, Feature, Kind};
    /// assert!(Kind::Nodes.supports(Feature::Export(Export::Rust)));
    /// assert!(!Kind::Lts.supports(Feature::Engine(Engine::Stateless)));
    /// ```
    pub fn supports(self, feature: Feature) -> bool {
        self.refusal(feature).is_none()
    }

    /// Why systems of this kind do not take it; `None` if they do.
    pub fn refusal(self, feature: Feature) -> Option<Refusal> {
        let is_erlang = self == Kind::Erlang;
        let is_file = matches!(self, Kind::Algebra | Kind::Lts);
        let is_registered = matches!(self, Kind::Nodes | Kind::Model);
        let no = |why: &str| Some(Refusal { why: why.to_owned(), help: LEAVE_IT_OUT });
        match feature {
            Feature::ErlangOptions if is_erlang => None,
            Feature::ErlangOptions => no(&format!("this is {}", self.phrase())),
            Feature::Crashes if !is_file => None,
            Feature::ProcessCrashes if is_erlang => None,
            Feature::ProcessCrashes if is_registered => {
                no("a node crashes at any time, and restarts by --restarts-max")
            }
            Feature::NetworkFaults | Feature::CodeCheck if is_registered => None,
            Feature::NetworkFaults | Feature::CodeCheck if is_erlang => {
                no("an Erlang program has no network of nodes")
            }
            Feature::Crashes
            | Feature::ProcessCrashes
            | Feature::NetworkFaults
            | Feature::CodeCheck => no("a model says itself what can happen"),
            Feature::MergePositions if self == Kind::Algebra => None,
            Feature::MergePositions => no("it is for muCRL specifications"),
            Feature::VirtualTime | Feature::RandomFaults | Feature::ProgramOutput if is_file => {
                no("a model has neither time nor a network")
            }
            Feature::VirtualTime => None,
            Feature::RandomFaults if is_erlang => no("an Erlang program has no network of nodes"),
            Feature::RandomFaults => None,
            Feature::ProgramOutput | Feature::Turns if is_erlang => None,
            Feature::ProgramOutput => no("a system of nodes prints nothing"),
            Feature::Turns => no("only the processes of an Erlang program take turns"),
            Feature::Engine(Engine::Stateful) => None,
            Feature::Engine(Engine::Stateless) if is_file => Some(Refusal {
                why: format!(
                    "{} is not made of sequential threads, so it has no interleavings to tell apart",
                    self.phrase()
                ),
                help: "leave it out: every state is visited once",
            }),
            Feature::Engine(Engine::Stateless) => None,
            Feature::Export(export) => export.refusal(self),
        }
    }

    /// Refuses what systems of this kind do not take. `asked` is how the user asked for it: a flag with its value.
    pub fn require(self, feature: Feature, asked: &str) -> Result<(), Diagnostic> {
        match self.refusal(feature) {
            None => Ok(()),
            Some(Refusal { why, help }) => {
                let refused = Diagnostic::does_not_apply(asked, &why).help(help);
                Err(match feature {
                    Feature::Export(_) => Diagnostic { code: Code::UnknownExport, ..refused },
                    _ => refused,
                })
            }
        }
    }

    /// The engine that fits if none is asked for: programs end, so their runs can be listed; worlds of nodes often do not.
    pub(crate) fn usual_engine(self) -> Engine {
        if self == Kind::Erlang { Engine::Stateless } else { Engine::Stateful }
    }
}

impl Source {
    /// As [`Kind::require`], before anything is opened.
    pub fn require(&self, feature: Feature, asked: &str) -> Result<(), Diagnostic> {
        self.kind().require(feature, asked).map_err(|refusal| match (feature, self) {
            // The likeliest reason is a path that was mistyped.
            (Feature::ErlangOptions, Source::Nodes(nodes)) => {
                let why = format!("`{}` is no Erlang file and no folder", nodes.name);
                Diagnostic::does_not_apply(asked, &why)
            }
            _ => refusal,
        })
    }
}
