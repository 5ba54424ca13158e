//! The locker of `examples/locker` with four clients that may crash, from its Erlang text to a `.aut` file.
//! Not here: how it is timed (`logic`).

use foresee_erlang::{
    CrashPoints, Crashes, Entry, Erlang, Labels, Options, SourceText, load as load_erlang,
};
use foresee_erlang_syntax::{Options as Syntax, no_includes};

/// The supervision tree with so many clients, all of which crash at the places of the paper, and nobody starts them again.
pub(crate) fn crashing_locker(n_clients: usize) -> Erlang {
    let files = [
        ("locker.erl", include_str!("../../examples/locker/locker.erl")),
        ("locker_client.erl", include_str!("../../examples/locker/locker_client.erl")),
        ("locker_sup.erl", include_str!("../../examples/locker/locker_sup.erl")),
    ];
    let sources = files.map(|(path, text)| SourceText { path, text });
    let defines = vec![("CLIENTS".to_owned(), Some(n_clients.to_string()))];
    let syntax = Syntax { defines, ..Syntax::default() };
    let program = load_erlang(&sources, &syntax, &mut no_includes).program.expect("our own text");
    let crashes = Crashes {
        processes: vec!["client_*".to_owned()],
        points: CrashPoints::Calls,
        restart: false,
        may_cease: false,
        ..Crashes::default()
    };
    let options =
        Options { crashes: Some(crashes), labels: Some(Labels::default()), ..Options::default() };
    Erlang::new(program, Entry::supervisor("locker_sup", "start_link"), options)
}
