//! The locker of `examples/locker` with clients that may crash, both ways: the program itself, and the muCRL it becomes.
//! Not here: how it is timed (`logic`).

use foresee_erlang::{
    CrashPoints, Crashes, Entry, Erlang, Labels, Options, SourceText, load as load_erlang,
};
use foresee_erlang_syntax::{Options as Syntax, no_includes, parse_file};

const TEXTS: [(&str, &str); 3] = [
    ("locker.erl", include_str!("../../examples/locker/locker.erl")),
    ("locker_client.erl", include_str!("../../examples/locker/locker_client.erl")),
    ("locker_sup.erl", include_str!("../../examples/locker/locker_sup.erl")),
];

/// The supervision tree with so many clients, all of which crash at the places of the paper, and nobody starts them again.
pub(crate) fn crashing_locker(n_clients: usize) -> Erlang {
    let sources = TEXTS.map(|(path, text)| SourceText { path, text });
    let program = load_erlang(&sources, &syntax(n_clients, &[]), &mut no_includes)
        .program
        .expect("our own text");
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

/// As muCRL; a crash is hidden, as in the paper.
pub(crate) fn translated_locker(n_clients: usize, defines: &[&str]) -> String {
    let syntax = syntax(n_clients, defines);
    let modules = TEXTS.map(|(path, text)| parse_file(path, text, &syntax, &mut no_includes));
    let crash = vec!["all".to_owned()];
    let options = foresee_translate::Options { crash, crash_visible: false, ..Default::default() };
    let translation =
        foresee_translate::translate(&modules, ("locker_sup", "start_link"), &options);
    translation.unwrap_or_else(|problems| panic!("{problems:?}")).to_mucrl()
}

fn syntax(n_clients: usize, defines: &[&str]) -> Syntax {
    let given = defines.iter().map(|name| ((*name).to_owned(), Some("true".to_owned())));
    let n_clients = ("CLIENTS".to_owned(), Some(n_clients.to_string()));
    Syntax { defines: given.chain([n_clients]).collect(), ..Syntax::default() }
}
