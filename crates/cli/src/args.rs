//! The command line as data: every command and flag, with what `--help` says about it.
//! Names and meanings are an interface that people script against; `tests/help.rs` keeps a copy of all help texts.
//! Not here: doing any of it (`check`, `replay`, …).

use crate::model_args::{Lts, Patterns, Verify};
#[cfg(feature = "languages")]
use crate::translate::Translate;
use crate::units::{parse_bytes, parse_duration, parse_probability, parse_processes, parse_range};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use foresee_session::{BoundKind, endings};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Explores every possible future of a message-passing system: every order of messages, timers and faults. Shows the
/// shortest story of what goes wrong, or says that nothing can.
#[derive(Debug, Parser)]
#[command(name = "foresee", version, max_term_width = 200)]
#[command(
    after_help = "Exit codes: 0 holds, 1 violated, 2 could not check, 3 inconclusive (a limit stopped it)."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Simulate(Simulate),
    Lts(Lts),
    Verify(Verify),
    #[cfg(feature = "languages")]
    Translate(Translate),
    Replay(Replay),
    Debug(Debug),
    Systems(Systems),
    Patterns(Patterns),
    Explain(Explain),
    Completions(Completions),
    #[command(hide = true)]
    Complete(Complete),
}

/// What to look at: an Erlang program, a model in a file, or a system of this binary.
#[derive(Args, Debug)]
pub(crate) struct What {
    /// An Erlang file, a rebar3 project's folder, a muCRL specification (.mcrl), a transition system (.aut), or the name of a
    /// system (`systems` lists the names there are)
    #[arg(value_name = "WHAT")]
    pub(crate) name: String,

    /// More Erlang files, or the system's parameters; each parameter has a default
    #[arg(value_name = "FILE.erl|KEY=VALUE")]
    pub(crate) parameters: Vec<String>,

    /// Of a muCRL specification: processes that will do the same are in the same state, wherever they stand in their equations
    #[arg(long, help_heading = "Models")]
    pub(crate) merge_positions: bool,

    #[command(flatten)]
    pub(crate) erlang: Erlang,
}

/// Erlang programs: where their modules and headers are
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Erlang")]
pub(crate) struct Sources {
    /// A folder of header files; give it several times for several [default: beside the files, `../include`]
    #[arg(long, short = 'I', value_name = "DIR")]
    pub(crate) include: Vec<String>,

    /// A macro, as `-define` in a file; without a value it is `true` [default: none]
    #[arg(long, short = 'D', value_name = "NAME[=VALUE]")]
    pub(crate) define: Vec<String>,

    /// A folder in which modules are found by name when something names them [default: the files' own]
    #[arg(long, value_name = "DIR")]
    pub(crate) src: Vec<String>,

    /// An installed OTP, as /usr/lib/erlang: library modules that are not built in are loaded from its sources [default: none]
    #[arg(long, value_name = "DIR")]
    pub(crate) otp: Option<String>,
}

/// Erlang programs: where they start, how they run
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Erlang")]
pub(crate) struct Erlang {
    /// The module to start in [default: the first file's]
    #[arg(long, short, value_name = "MODULE")]
    pub(crate) module: Option<String>,

    /// The function that the first process runs; it has no arguments [default: test]
    #[arg(long, short, value_name = "FUNCTION")]
    pub(crate) test: Option<String>,

    /// Start from a supervision tree instead: a function without arguments that gives {ok, Pid}, as a supervisor's start_link. The
    /// first process calls it and waits for ever; servers that wait for work are then no deadlock
    #[arg(long, value_name = "MODULE:FUNCTION", conflicts_with_all = ["module", "test"])]
    pub(crate) supervisor: Option<String>,

    #[command(flatten)]
    pub(crate) sources: Sources,

    /// A message is in the mailbox as soon as it is sent [default: true]; false makes each delivery an event of its own
    #[arg(long, value_name = "BOOL")]
    pub(crate) instant_delivery: Option<bool>,

    /// Timeouts of at least this many milliseconds never fire [default: all may]
    #[arg(long, value_name = "MS")]
    pub(crate) after_timeout: Option<u64>,

    /// Timers (erlang:send_after, start_timer, those of module timer and of behaviours) of at least this many milliseconds never
    /// fire [default: all may]
    #[arg(long, value_name = "MS")]
    pub(crate) send_after_timeout: Option<u64>,

    /// Timers fire at most so often for one process; where that leaves something out, the verdict is inconclusive, stopped by
    /// timers [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) timer_firings_max: Option<u32>,

    /// Clocks: each read returns more than every earlier one, and a timeout that fires moves them at least to its deadline; or they
    /// stand still [default: moving]
    #[arg(long, value_enum, value_name = "HOW")]
    pub(crate) clock: Option<Clock>,

    /// An exit reason that is no error, or the first element of such reasons; give it several times for several [default: normal]
    #[arg(long, value_name = "REASON")]
    pub(crate) treat_as_normal: Vec<String>,

    /// A kind of error that does not count; give it several times for several [default: none]
    #[arg(long, value_enum, value_name = "KIND")]
    pub(crate) ignore_error: Vec<IgnoredError>,

    /// Of abnormal exits, only failed assertions (as of eunit's macros) count
    #[arg(long)]
    pub(crate) assertions_only: bool,

    /// Only errors of the first process count: its exit, or a deadlock in which it waits
    #[arg(long)]
    pub(crate) first_process_errors_only: bool,
}

/// Faults as events of the search: how many of each may happen along one run
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Faults")]
pub(crate) struct Faults {
    /// A node or an Erlang process that may crash; give it several times for several [default with --crashes-max: every node].
    /// A process goes by its registered name, else its supervisor's child id (client_1 for {client,1}), else as traces show it;
    /// `*` stands for any text, and `all` for every process but the first and supervisors
    #[arg(long, value_name = "NODE|PROCESS")]
    pub(crate) crash: Vec<String>,

    /// How many crashes may happen [default: 0, or 1 with --crash; for Erlang, each process with --crash once]
    #[arg(long, value_name = "N")]
    pub(crate) crashes_max: Option<u32>,

    /// Where an Erlang process may crash [default: every]
    #[arg(long, value_enum, value_name = "WHERE")]
    pub(crate) crash_points: Option<CrashPoints>,

    /// Supervisors do after a crash what their text says [default: true]; false: they are not told of it
    #[arg(long, value_name = "BOOL")]
    pub(crate) restart: Option<bool>,

    /// How many times a crashed node may come back with its stable storage
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) restarts_max: u32,

    /// How many messages may be lost
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) drops_max: u32,

    /// How many messages may be doubled
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) duplicates_max: u32,

    /// How many times the network may split in two; it may heal at any time
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) partitions_max: u32,

    /// How many crashes may leave a part of what a node had written and not synced
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) torn_writes_max: u32,

    /// How many times a crashed node may lose its disk
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) lost_disks_max: u32,
}

/// Interleavings: which runs the stateless engine explores
#[derive(Args, Debug)]
#[command(next_help_heading = "Interleavings (--engine stateless)")]
pub(crate) struct Interleavings {
    /// How runs that differ in nothing are left out [default: optimal; source with --bound-type preemption]
    #[arg(long, value_enum)]
    pub(crate) dpor: Option<Dpor>,

    /// Leave out runs that cost more than this; the verdict says so if there are any [default: none]
    #[arg(long, value_name = "N")]
    pub(crate) bound: Option<u32>,

    /// What a run's cost is [default: delay]
    #[arg(long, value_parser = bound_kinds(), requires = "bound")]
    pub(crate) bound_type: Option<BoundKind>,

    /// Messages race only if some receive's patterns tell them apart [default: true]
    #[arg(long, value_name = "BOOL")]
    pub(crate) observers: Option<bool>,

    /// Which process runs first where it does not matter [default: round-robin]
    #[arg(long, value_enum)]
    pub(crate) scheduling: Option<Scheduling>,

    /// A registered process (or a node) whose events, and the messages to it, do not race; give it several times for several
    /// [default: none]
    #[arg(long, value_name = "NAME")]
    pub(crate) non_racing: Vec<String>,
}

/// Explore every reachable state of a program or system and report the verdict
///
/// A violation comes with the shortest run that shows it (with the default strategy), minimised, with causes next to
/// effects, and saved as a trace that `replay` takes.
#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) what: What,

    /// The engine that explores [default: auto]
    #[arg(long, value_enum, help_heading = "Search")]
    pub(crate) engine: Option<Engine>,

    /// The order in which states are explored [default: bfs]
    #[arg(long, value_enum, help_heading = "Search")]
    pub(crate) strategy: Option<Strategy>,

    /// How visited states are remembered
    #[arg(long, value_enum, default_value_t = Visited::Exact, help_heading = "Search")]
    pub(crate) visited: Visited,

    /// How many threads explore; 0 is one per core. The report is the same for any number
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Search")]
    pub(crate) threads: usize,

    /// Explore fewer states
    #[arg(
        long,
        value_enum,
        value_delimiter = ',',
        default_value = "none",
        help_heading = "Search"
    )]
    pub(crate) reduction: Vec<Reduction>,

    /// Where random choices come from
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub(crate) seed: u64,

    /// Do not stop at the first violation: explore everything and report one for each property
    #[arg(long, help_heading = "Search")]
    pub(crate) keep_going: bool,

    /// Check only this property; give it several times for several [default: all the system has]
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    pub(crate) invariant: Vec<String>,

    /// Carry out a guided search of the system, by its title (`systems` lists them), in place of a search of everything [default: none]
    #[arg(long, value_name = "TITLE", help_heading = "Search", conflicts_with_all = ["engine", "strategy"])]
    pub(crate) guide: Option<String>,

    /// Also run each handler twice, and check that it is deterministic and that equality, hash and clone agree
    #[arg(long, help_heading = "Search")]
    pub(crate) check_code: bool,

    /// Also carry out every two independent events in both orders, in every state visited: a check of foresee itself
    #[arg(long, help_heading = "Search")]
    pub(crate) check_independence: bool,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) on_disk: DiskFlags,

    #[command(flatten)]
    pub(crate) cluster: ClusterFlags,

    /// Stop after this many interleavings or random walks [default: no limit]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub(crate) interleavings_max: Option<u64>,

    #[command(flatten)]
    pub(crate) interleavings: Interleavings,

    #[command(flatten)]
    pub(crate) tests: Tests,

    /// Stop each test after this many interleavings [default: 1000; 100 without --eunit and --ct]
    #[arg(long, value_name = "N", help_heading = "Tests of an Erlang project")]
    pub(crate) test_interleavings_max: Option<u64>,

    #[command(flatten)]
    pub(crate) faults: Faults,

    /// Where to save the trace of a violation [default: SYSTEM.1.trace, SYSTEM.2.trace, … in this directory]
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,

    /// Save the trace of every violation; else, with --keep-going, of the first of each kind
    #[arg(long, help_heading = "Output")]
    pub(crate) all_traces: bool,

    /// Also write a page with everything: figures, each violation's picture, story, processes and races [default: none]
    #[arg(long, value_name = "FILE.html", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,

    /// Also write the tree of the first 1000 interleavings, for Graphviz [default: none]
    #[arg(long, value_name = "FILE.dot", help_heading = "Output")]
    pub(crate) graph: Option<PathBuf>,

    /// Show the run as the search found it
    #[arg(long, help_heading = "Output")]
    pub(crate) no_minimise: bool,

    #[command(flatten)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) debug: DebugFlag,
}

/// The tests of an Erlang project
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Tests of an Erlang project")]
pub(crate) struct Tests {
    /// Run the project's EUnit tests, each test of a generator for itself; limits on time and memory are for each test [default: of a folder without -m, all its tests]
    #[arg(long)]
    pub(crate) eunit: bool,

    /// Run the project's Common Test cases
    #[arg(long)]
    pub(crate) ct: bool,
}

/// States on disk, for searches that memory does not hold or that are to be stopped and taken up again
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Disk")]
pub(crate) struct DiskFlags {
    /// Keep the states in files of this directory [default: in memory]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["resume", "eunit", "ct"])]
    pub(crate) disk: Option<PathBuf>,

    /// Take up the search that --disk began in this directory [default: none]
    #[arg(long, value_name = "DIR", conflicts_with_all = ["eunit", "ct"])]
    pub(crate) resume: Option<PathBuf>,

    /// Stop when the files take this much, as 20GiB [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) disk_max: Option<u64>,
}

/// One search by several processes, on this machine or on several; --threads workers in each
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Cluster")]
pub(crate) struct ClusterFlags {
    /// Search with this many processes on this machine, which are started and ended [default: 1]
    #[arg(long, value_name = "N", conflicts_with_all = ["cluster", "eunit", "ct"], value_parser = parse_processes)]
    pub(crate) processes: Option<usize>,

    /// Search with the processes that this file names, a HOST:PORT a line; each is started with the same command line but for --process [default: none]
    #[arg(long, value_name = "FILE", requires = "process", conflicts_with_all = ["eunit", "ct"])]
    pub(crate) cluster: Option<PathBuf>,

    /// Which line of the hosts file this process is, from 0; the first one reports [default: none]
    #[arg(long, value_name = "K", requires = "cluster")]
    pub(crate) process: Option<usize>,

    /// How long the other processes are waited for at the beginning, as 30s or 5m [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) cluster_wait: Option<Duration>,
}

/// When to stop: a limit reached gives `inconclusive`
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub(crate) struct Limits {
    /// Explore no deeper than this many steps [default: no limit; 5000 for interleavings]
    #[arg(long, value_name = "N")]
    pub(crate) depth_max: Option<u32>,

    /// Stop after this many distinct states [default: no limit]
    #[arg(long, value_name = "N")]
    pub(crate) states_max: Option<u64>,

    /// Stop after this time, as 500ms, 30s, 5m or 2h [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_max: Option<Duration>,

    /// Stop when the process takes this much memory, as 500MiB or 8GiB [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory_max: Option<u64>,
}

impl Limits {
    /// As the engines want them.
    pub(crate) fn to_search(&self) -> foresee_session::Limits {
        foresee_session::Limits {
            states_max: self.states_max,
            depth_max: self.depth_max,
            time_max: self.time_max,
            memory_max: self.memory_max,
            interleavings_max: None,
        }
    }
}

/// What every command that reports can do.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Output")]
pub(crate) struct Output {
    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// With --format json: the steps of each violation, as `events`
    #[arg(long)]
    pub(crate) steps: bool,

    /// Print the verdict only, and no progress
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Print more: what changes at each step, all properties, how the work was done
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

impl Output {
    /// The usual amount of text, in this format.
    pub(crate) fn of_format(format: Format) -> Self {
        Output { format, steps: false, quiet: false, verbose: false }
    }
}

/// Run a program or system once in virtual time and print what happens, or many times and count
///
/// An Erlang program runs under a seeded scheduler: the same seed, the same run. Nodes run in a network with seeded latency, loss,
/// duplication and reordering. A model is walked through at random. A run ends when nothing is left to happen, when a property fails, or at a limit. It proves nothing; it
/// shows what usually happens.
#[derive(Args, Debug)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) what: What,

    /// Where the first run's random choices come from; run I takes seed N + I - 1 [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// How many runs; with more than one, only a summary and the first failing run are printed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) runs: u64,

    /// Stop a run after this many events [default: 100000; of a model in a file, 100]
    #[arg(long, value_name = "N")]
    pub(crate) depth_max: Option<u64>,

    /// Stop all runs after this time on the wall clock [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) time_max: Option<Duration>,

    /// Stop when the process takes this much memory, as 500MiB or 8GiB [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) memory_max: Option<u64>,

    /// Stop a run when its virtual clock reaches this time [default: 60s; of an Erlang program, 60s after the first process has ended]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) virtual_time_max: Option<Duration>,

    /// Print just what the program itself prints, as `escript` would: nothing is waited for when the first process has ended
    #[arg(long, conflicts_with_all = ["runs", "format", "verbose"])]
    pub(crate) output_only: bool,

    /// In the first run let processes take turns, as on a quiet machine with one processor; tests (--eunit, --ct) do so unless a seed is given
    #[arg(long)]
    pub(crate) in_turns: bool,

    #[command(flatten)]
    pub(crate) tests: Tests,

    /// The probability that a message is lost
    #[arg(long, value_name = "P", value_parser = parse_probability, default_value = "0", help_heading = "Network")]
    pub(crate) loss: f64,

    /// The probability that a message arrives twice
    #[arg(long, value_name = "P", value_parser = parse_probability, default_value = "0", help_heading = "Network")]
    pub(crate) duplicate: f64,

    /// How long a message takes; a range makes messages overtake each other
    #[arg(long, value_name = "MIN..MAX", value_parser = parse_range, default_value = "1ms..10ms", help_heading = "Network")]
    pub(crate) latency: (Duration, Duration),

    #[command(flatten)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) debug: DebugFlag,
}

impl Simulate {
    /// Those of the process itself.
    pub(crate) fn limits(&self) -> foresee_session::Limits {
        foresee_session::Limits {
            time_max: self.time_max,
            memory_max: self.memory_max,
            ..foresee_session::Limits::none()
        }
    }
}

/// Step a trace again on a fresh system and check its violation again
///
/// Says `violated` (exit code 1) if the violation is still there and `holds` (exit code 0) if the run no longer shows it. A trace
/// recorded before a change of code replays as far as it applies, and the report says where it stops (exit code 2).
#[derive(Args, Debug)]
pub(crate) struct Replay {
    /// The trace
    #[arg(value_name = "FILE.trace")]
    pub(crate) file: PathBuf,

    #[arg(long, value_name = "FILE", help = format!("Write the replayed run to a file: {}", endings()))]
    pub(crate) export: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: Output,

    #[command(flatten)]
    pub(crate) debug: DebugFlag,
}

/// Open a run in the visual debugger, a page in the browser
///
/// Starts at the beginning of a program or system, or goes on with a trace or a saved session; without any of them it shows a
/// run of a built-in system that goes wrong. The first line on standard output is the page's address. Serves until Ctrl-C.
#[derive(Args, Debug)]
pub(crate) struct Debug {
    /// What `check` takes, a trace or a session [default: a run of paxos that goes wrong]
    #[arg(value_name = "WHAT|FILE.trace|FILE.session")]
    pub(crate) name: Option<String>,

    /// More Erlang files, or the system's parameters; each parameter has a default
    #[arg(value_name = "FILE.erl|KEY=VALUE")]
    pub(crate) parameters: Vec<String>,

    /// Of a muCRL specification: processes that will do the same are in the same state, wherever they stand in their equations
    #[arg(long, help_heading = "Models")]
    pub(crate) merge_positions: bool,

    #[command(flatten)]
    pub(crate) erlang: Erlang,

    #[command(flatten)]
    pub(crate) faults: Faults,

    #[command(flatten)]
    pub(crate) serving: Serving,
}

impl Debug {
    /// What is to be looked at, if anything is named.
    pub(crate) fn what(&self) -> Option<What> {
        Some(What {
            name: self.name.clone()?,
            parameters: self.parameters.clone(),
            merge_positions: self.merge_positions,
            erlang: self.erlang.clone(),
        })
    }
}

/// Opening the debugger on what a command has found
#[derive(Args, Debug)]
#[command(next_help_heading = "Debugger")]
pub(crate) struct DebugFlag {
    /// After the report, open the run in the visual debugger; serves until Ctrl-C, and exits with the verdict's code
    #[arg(long)]
    pub(crate) debug: bool,

    #[command(flatten)]
    pub(crate) serving: Serving,
}

/// How the debugger is served
#[derive(Args, Debug)]
#[command(next_help_heading = "Debugger")]
pub(crate) struct Serving {
    /// Where the debugger listens; port 0 picks one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,

    /// Do not open a browser, only print the address
    #[arg(long)]
    pub(crate) no_open: bool,

    /// The word that the page has to know [default: made up for each run]
    #[arg(long, value_name = "TOKEN")]
    pub(crate) token: Option<String>,

    /// Replay the session when a file of the program, model or formula is saved
    #[arg(long)]
    pub(crate) watch: bool,
}

/// List the systems in this binary: names, parameters with ranges and defaults, properties
#[derive(Args, Debug)]
pub(crate) struct Systems {
    /// Only systems whose name contains this
    pub(crate) name: Option<String>,

    /// How to print the list
    #[arg(long, value_enum, default_value_t = ListFormat::Text)]
    pub(crate) format: ListFormat,
}

/// Print the page of a diagnostic, as E0001; without a code, list all
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The code in brackets after the word `error`
    pub(crate) code: Option<String>,
}

/// Print a completion script for a shell
///
/// Commands, flags and their values; in bash, zsh and fish also the names of systems, their parameters, guides and properties. For
/// example: foresee completions bash > ~/.local/share/bash-completion/completions/foresee
#[derive(Args, Debug)]
pub(crate) struct Completions {
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// What may come next on a line, for completion scripts
#[derive(Args, Debug)]
pub(crate) struct Complete {
    /// The line as it is typed so far, without the program's name
    #[arg(value_name = "LINE", allow_hyphen_values = true, default_value = "")]
    pub(crate) line: String,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Clock {
    /// Every read returns more than the one before; what waits in vain moves the clock
    Moving,
    /// Every read returns the same
    Frozen,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum IgnoredError {
    /// A process ends with a reason that is not normal
    #[value(name = "abnormal_exit")]
    AbnormalExit,
    /// The program stops itself with a status other than 0
    #[value(name = "abnormal_halt")]
    AbnormalHalt,
    /// Nothing can happen, and some process waits
    #[value(name = "deadlock")]
    Deadlock,
    /// A run is longer than --depth-max
    #[value(name = "depth_bound")]
    DepthBound,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum CrashPoints {
    /// Before every operation that others can notice, and in every receive
    Every,
    /// Only processes that call servers, after their first call: while they wait for the answer, when they have it, beside casts
    /// and actions; they count as linked to the servers they have called
    Calls,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Engine {
    /// The one that fits: stateful with --strategy and for everything but Erlang programs; for those both, in turns, unless a
    /// flag is given that only one of them knows. The first answer counts
    Auto,
    /// Remember every state and visit each once
    Stateful,
    /// Explore every interleaving that can make a difference, once
    Stateless,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Dpor {
    /// No run is begun that repeats another
    Optimal,
    /// By source sets: some runs are begun and given up
    Source,
    /// By persistent sets: more runs
    Persistent,
    /// No run is left out but for sleep sets
    None,
}

/// The kinds of bounds that the engine has, with its words.
fn bound_kinds() -> impl TypedValueParser<Value = BoundKind> {
    let values = BoundKind::ALL.iter().map(|kind| kind.policy());
    let values = values.map(|policy| PossibleValue::new(policy.word()).help(policy.about()));
    let parser = PossibleValuesParser::new(values.collect::<Vec<_>>());
    parser.map(|word| BoundKind::parse(&word).expect("one of the listed words"))
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Scheduling {
    /// The process that was started first
    Oldest,
    /// The process that was started last
    Newest,
    /// The process that has waited longest
    RoundRobin,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Strategy {
    /// Breadth first: shortest violations
    Bfs,
    /// Depth first: reaches long runs early
    Dfs,
    /// Seeded random walks: no memory for states, proves nothing; needs a limit or Ctrl-C to end
    Random,
    /// The state with the best score first; for systems that have a score
    BestFirst,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Visited {
    /// Every state, exactly
    Exact,
    /// A hash of each state: less memory; the report says how probable it is that a state was overlooked
    Fingerprint,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Reduction {
    /// Every state
    None,
    /// Steps that nothing else can get in the way of are taken at once; keeps deadlocks and failures of processes
    Por,
    /// One of all states that differ only in the names of nodes that the system calls interchangeable
    Symmetry,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object on standard output
    Json,
    /// XML for continuous integration: one test case for each property
    Junit,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people
    Text,
    /// One object on standard output
    Json,
}
