//! What is outside the class is refused: with its code, its place and what to do; and each code has its page.

mod support;

use foresee_erlang_syntax::Parse;
use foresee_translate::{ALL_CODES, Options, translate};
use support::{parse, read, show};

/// A tree of one server `box` and one client `user`; parts of it are replaced by a case.
struct Tree {
    init: &'static str,
    handle_call: &'static str,
    handle_cast: &'static str,
    client: &'static str,
    children: &'static str,
    start: &'static str,
}

const TREE: Tree = Tree {
    init: "init(_) -> {ok, empty}.",
    handle_call: "handle_call(get, _, State) -> {reply, State, State}.",
    handle_cast: "handle_cast({put, X}, _) -> {noreply, X}.",
    client: "user() -> gen_server:cast(box, {put, 1}), gen_server:call(box, get, infinity), user().",
    children: "#{id => user, start => {tree, start_user, []}}",
    start: "start_user() -> {ok, spawn_link(tree, user, [])}.",
};

fn modules(tree: &Tree) -> Vec<Parse> {
    let server = format!(
        "-module(box).\n-record(r, {{x = 1}}).\n\
         start_link() -> gen_server:start_link({{local, box}}, box, [], []).\n{}\n{}\n{}\n",
        tree.init, tree.handle_call, tree.handle_cast
    );
    let supervisor = format!(
        "-module(tree).\nstart_link() -> supervisor:start_link(tree, []).\n\
         init(_) -> {{ok, {{#{{}}, [#{{id => box, start => {{box, start_link, []}}}}, {}]}}}}.\n{}\n{}\n",
        tree.children, tree.start, tree.client
    );
    let exported = |text: String| text.replacen(").\n", ").\n-compile(export_all).\n", 1);
    vec![parse("box.erl", &exported(server), &[]), parse("tree.erl", &exported(supervisor), &[])]
}

/// All that is said about a tree.
fn said(tree: &Tree, options: &Options) -> String {
    match translate(&modules(tree), ("tree", "start_link"), options) {
        Ok(_) => String::new(),
        Err(problems) => problems.iter().map(show).collect::<Vec<_>>().join("\n"),
    }
}

#[track_caller]
fn refused(tree: Tree, expected: &str, help: &str) {
    let text = said(&tree, &Options::default());
    assert!(text.starts_with(expected), "{text}");
    assert!(text.contains(help), "{text}");
    assert_eq!(text.matches(": E06").count(), 1, "said once: {text}");
}

#[test]
fn the_tree_itself_is_fine() {
    assert_eq!(said(&TREE, &Options::default()), "");
}

#[test]
fn values_and_expressions_without_translation() {
    for (body, what, help) in [
        ("{reply, 1.5, State}", "a float", "use integers"),
        ("{reply, \"abc\", State}", "a string", "use an atom"),
        ("{reply, #{a => 1}, State}", "a map", "record"),
        ("{reply, <<1>>, State}", "a binary", "atom or a list"),
        ("{reply, [X || <<X>> <= State], State}", "a generator over a map or a binary", "a list"),
        ("{reply, ok, fun () -> State end}", "a fun", "by its name"),
        ("X = receive Y -> Y end, {reply, X, State}", "`receive`", "gen_server:call"),
        ("X = (catch hd(State)), {reply, X, State}", "catching an exception", "{error, Reason}"),
        ("{reply, try State catch _ -> oops end, State}", "catching an exception", "{error"),
        ("{reply, State / 2, State}", "`/` gives a float, which", "div"),
        ("{reply, State bor 1, State}", "`bor` works on bits, which", "+, -"),
        ("\"a\" ++ X = State, {reply, X, State}", "an operator in a pattern", "one by one"),
    ] {
        let head = "handle_call(get, _, State) -> ";
        let handle_call: &'static str = format!("{head}{body}.").leak();
        let tree = Tree { handle_call, ..TREE };
        let text = said(&tree, &Options::default());
        let start = text.lines().next().unwrap_or_default();
        assert!(start.starts_with("box.erl:6:") && start.contains(": E0601: "), "{body}: {text}");
        assert!(start.contains(what) && text.contains(help), "{body}: {text}");
    }
}

#[test]
fn functions_without_translation() {
    let tree = Tree {
        handle_cast: "handle_cast(_, S) ->\n  {noreply, crypto:strong_rand_bytes(S)}.",
        ..TREE
    };
    let text = said(&tree, &Options::default());
    assert!(text.contains("crypto:strong_rand_bytes/1"), "{text}");
    refused(
        Tree { handle_cast: "handle_cast(F, S) -> {noreply, F(S)}.", ..TREE },
        "box.erl:7:32: E0602: a call of a function that is computed has no translation",
        "by its name",
    );
    refused(
        Tree { handle_cast: "handle_cast(F, S) -> {noreply, lists:map(F, S)}.", ..TREE },
        "box.erl:7:32: E0602: lists:map/2 has no translation",
        "use a comprehension",
    );
    refused(
        Tree { handle_cast: "handle_cast(_, S) -> {noreply, erlang:phash2(S)}.", ..TREE },
        "box.erl:7:32: E0602: erlang:phash2/1 has no translation",
        "write it with atoms",
    );
}

#[test]
fn trees_that_cannot_be_evaluated() {
    let found = translate(&modules(&TREE), ("tree", "start"), &Options::default());
    let problems = found.expect_err("no such function");
    assert_eq!(
        show(&problems[0]).lines().next(),
        Some("tree.erl:1:9: E0603: there is no function tree:start/0 to start the supervisor with")
    );
    refused(
        Tree { children: "hd([])", ..TREE },
        "tree.erl:1:9: E0603: tree:start_link() does not give a supervision tree: it ends with {badarg,",
        "must only compute and start children",
    );
}

#[test]
fn children_of_other_kinds() {
    refused(
        Tree {
            start: "start_user() -> {ok, spawn_link(fun () -> X = self(), exit(X) end)}.",
            ..TREE
        },
        "tree.erl:1:9: E0604: the child user is a process that runs a fun",
        "spawn_link(Module, Function, Arguments)",
    );
    refused(
        Tree { start: "start_user() -> gen_statem:start_link(tree, [], []).", ..TREE },
        "tree.erl:1:9: E0604: the child user is no gen_server and no spawned client: gen_statem",
        "gen_servers",
    );
    refused(
        Tree { start: "start_user() -> {error, later}.", ..TREE },
        "tree.erl:1:9: E0604: the child user is no gen_server and no spawned client: {not_started,{error,later}}",
        "gen_servers",
    );
}

#[test]
fn time() {
    refused(
        Tree { client: "user() -> gen_server:call(box, get, 1000).", ..TREE },
        "tree.erl:6:37: E0605: a call with a time-out has no translation",
        "use infinity",
    );
    refused(
        Tree { handle_cast: "handle_cast(_, S) -> {noreply, S, 50}.", ..TREE },
        "box.erl:7:1: E0605: a callback of box returns a time-out, which has no translation",
        "a message from a client",
    );
    refused(
        Tree { handle_cast: "handle_cast(_, S) -> timer:sleep(1), {noreply, S}.", ..TREE },
        "box.erl:7:22: E0605: timer:sleep/1 is about time",
        "a message from a client",
    );
    refused(
        Tree { client: "user() -> receive x -> ok after 10 -> ok end.", ..TREE },
        "tree.erl:6:11: E0605: `receive … after` has no translation",
        "without a time",
    );
}

#[test]
fn effects_where_only_a_value_can_stand() {
    refused(
        Tree { init: "init(_) -> gen_server:cast(box, {put, 1}), {ok, empty}.", ..TREE },
        "box.erl:5:1: E0606: init/1 of box does something others can notice",
        "handle_continue/2",
    );
    refused(
        Tree { client: "user() -> [X || X <- gen_server:call(box, get, infinity)].", ..TREE },
        "tree.erl:6:11: E0606: this is noticed by others, but only a value can stand here",
        "bind its result",
    );
}

#[test]
fn crashes_of_nobody_and_of_servers() {
    for (name, expected, help) in [
        (
            "box",
            "box is a server; only clients can crash in a translation",
            "foresee check --crash",
        ),
        ("nobody", "there is no process nobody that could crash", "the clients are user"),
    ] {
        let options = Options { crash: vec![name.to_owned()], ..Options::default() };
        let text = said(&TREE, &options);
        assert!(text.contains(&format!("E0607: {expected}")) && text.contains(help), "{text}");
    }
}

#[test]
fn messages_to_nobody() {
    refused(
        Tree { client: "user() -> gen_server:call(bocks, get, infinity).", ..TREE },
        "tree.erl:6:27: E0608: `bocks` is no server of the supervision tree",
        "its servers are box",
    );
}

#[test]
fn messages_to_somebody_who_is_computed() {
    let explored = |client: &'static str| {
        let translation = support::expect(translate(
            &modules(&Tree { client, ..TREE }),
            ("tree", "start_link"),
            &Options::default(),
        ));
        (support::explore(&translation), translation.to_mucrl())
    };
    // A parameter that is always the same server is not asked about.
    let (space, text) =
        explored("user() -> user(box).\nuser(B) -> gen_server:call(B, get, infinity), user(B).");
    assert!(!text.contains("noproc") && space.n_deadlocks() == 0, "{text}");
    // Something from a message is; a call of nobody is a failure, a cast and a send do nothing.
    let (space, _) = explored(
        "user() -> X = gen_server:call(box, get, infinity), gen_server:cast(X, hello), X ! hello,
         gen_server:call(X, get, infinity).",
    );
    assert!(space.labels().contains("failure(user,noproc)"), "{:?}", space.labels());
    refused(
        Tree { client: "user() -> gen_server:cast({box, there}, hello).", ..TREE },
        "tree.erl:6:27: E0608: `{box,there}` is no server of the supervision tree",
        "its servers are box",
    );
}

#[test]
fn large_numbers() {
    refused(
        Tree { client: "user() -> gen_server:cast(box, {put, 1000000}).", ..TREE },
        "tree.erl:6:38: E0609: a number beyond 100 is too large for a specification",
        "small ones",
    );
    // The largest there is can be printed, read and explored.
    let client = "user() -> gen_server:cast(box, {put, 100}), gen_server:call(box, get, infinity).";
    let modules = modules(&Tree { client, ..TREE });
    let translated = translate(&modules, ("tree", "start_link"), &Options::default());
    let text = support::expect(translated).to_mucrl();
    let read = foresee_algebra::load(&text, Default::default()).expect("no problems");
    let space = support::explore_system(&read, 100);
    let labels: Vec<String> = space
        .labels()
        .into_iter()
        .map(|it| foresee_translate::erlang_label(it).into_owned())
        .collect();
    assert!(labels.contains(&"reply(user,100,box)".to_owned()), "{labels:?}");
}

#[test]
fn callbacks_that_are_missing_or_return_something_else() {
    refused(
        Tree { init: "", ..TREE },
        "box.erl:1:9: E0610: the server module box has no init/1",
        "starts with init/1",
    );
    refused(
        Tree { init: "init(_) -> {error, full}.", ..TREE },
        "box.erl:5:1: E0610: init/1 of box returns {error,full}",
        "{ok, State}",
    );
    refused(
        Tree { handle_cast: "handle_cast(_, S) -> {reply, ok, S}.", ..TREE },
        "box.erl:7:1: E0610: a callback of box returns {reply,ok,S}",
        "{noreply, State}",
    );
}

#[test]
fn every_code_has_its_page() {
    for (code, title) in ALL_CODES {
        let page = read(&format!("../../docs/diagnostics/{code}.md"));
        assert_eq!(page.lines().next(), Some(format!("# {code}: {title}").as_str()));
    }
}
