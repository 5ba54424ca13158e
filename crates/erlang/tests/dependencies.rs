//! What races in Erlang, row by row: a pair whose order matters, and near it one whose order does not.
//! A scene is a small program whose first process sets things up and waits; its children then stand before the operations
//! in question, and their footprints are compared. The table is in docs/decisions/0103-what-races-in-erlang.md.

use foresee_erlang::{Entry, Erlang, Options, Pid, Rules, SourceText, Term, load};
use foresee_erlang_syntax::no_includes;
use foresee_lts::Relation::{self, Independent, Ordered, Race};
use foresee_lts::{Action, Footprint, Interleaved, State, System, Telling, Verb};

struct Scene {
    system: Erlang,
    state: State,
}

impl Scene {
    /// Runs the body, and what it waits for, until the first process waits for ever.
    fn new(body: &str) -> Scene {
        Scene::with(body, Options::default())
    }

    fn with(body: &str, options: Options) -> Scene {
        let text = format!(
            "-module(m).\n-export([main/0, init/1, handle_call/3, handle_cast/2]).\n\
             main() -> {body}, put(ready, true), receive never -> ok end.\n\
             init(S) -> {{ok, S}}.\nhandle_call(M, _, S) -> {{reply, M, S}}.\n\
             handle_cast(_, S) -> {{noreply, S}}.\n"
        );
        let file = SourceText { path: "m.erl", text: &text };
        let loaded = load(&[file], &Default::default(), &mut no_includes);
        let said: Vec<&str> =
            loaded.problems.iter().map(|problem| problem.diagnostic.message.as_str()).collect();
        let program = loaded.program.unwrap_or_else(|| panic!("{body}: {said:?}"));
        let options = Options { rules: Rules::EXACT, places_in_labels: false, ..options };
        let system = Erlang::new(program, Entry::new("m", "main"), options);
        let state = system.initial().remove(0);
        let mut scene = Scene { system, state };
        while let Some(action) = scene.action("<P>").or_else(|| scene.help()) {
            scene.state = scene.system.step(&scene.state, action);
        }
        scene
    }

    /// An action of others, as long as the first process has not come to its end.
    fn help(&self) -> Option<Action> {
        let first = self.system.process(&self.state, Pid::first())?;
        let mut actions = Vec::new();
        self.system.enabled(&self.state, &mut actions);
        actions.first().copied().filter(|_| first.dictionary.get(&Term::atom("ready")).is_none())
    }

    /// The action of a process, or of the timer that will send to it.
    fn action(&self, who: &str) -> Option<Action> {
        let (who, timer) = match who.strip_prefix("timer of ") {
            Some(who) => (who, true),
            None => (who, false),
        };
        let mut actions = Vec::new();
        self.system.enabled(&self.state, &mut actions);
        actions.into_iter().find(|action| {
            let label = self.system.label(&self.state, *action);
            let text = label.to_string();
            let words: Vec<&str> = text.split(' ').collect();
            // Named processes are `<P.1/name>`.
            let name = words[1].split('/').next().unwrap_or_default();
            let is_fire = action.0 >> 56 == 3;
            name.trim_end_matches('>') == who.trim_end_matches('>') && is_fire == timer
        })
    }

    fn label(&self, who: &str) -> String {
        let action = self.action(who).unwrap_or_else(|| panic!("{who} cannot act"));
        self.system.label(&self.state, action).to_string()
    }

    /// Lets a process act until it is about to do something.
    fn until(mut self, who: &str, what: &str) -> Scene {
        for _ in 0..100 {
            if self.label(who).contains(what) {
                return self;
            }
            let action = self.action(who).expect("just asked");
            self.state = self.system.step(&self.state, action);
        }
        panic!("{who} never does {what}");
    }

    /// Lets a process act once.
    fn then(mut self, who: &str) -> Scene {
        let action = self.action(who).unwrap_or_else(|| panic!("{who} cannot act"));
        self.state = self.system.step(&self.state, action);
        self
    }

    fn footprint(&self, who: &str) -> Footprint {
        let action = self.action(who).unwrap_or_else(|| panic!("{who} cannot act"));
        self.system.footprint(&self.state, action)
    }

    fn relation(&self, a: &str, b: &str) -> Relation {
        self.related(&self.footprint(a), &self.footprint(b))
    }

    fn related(&self, a: &Footprint, b: &Footprint) -> Relation {
        let notices = |look, change| self.system.notices(look, change);
        let relation = a.relation_by(b, notices);
        assert_eq!(relation, b.relation_by(a, notices), "which is asked does not matter");
        relation
    }

    /// Whether the receive of a process takes what another delivers.
    fn takes(&self, receiver: &str, sender: &str) -> bool {
        let delivery = self.footprint(sender).deliveries[0];
        let action = self.action(receiver).unwrap_or_else(|| panic!("{receiver} cannot act"));
        self.system.would_take(&self.state, action, delivery.message)
    }
}

/// The relation of the first visible operations of two processes.
fn between(setup: &str, a: &str, b: &str) -> Relation {
    let body = format!(
        "{setup}, A = spawn(fun() -> {a} end), B = spawn(fun() -> {b} end), put(a, A), put(b, B)"
    );
    // The two are the last ones spawned.
    let n_before = setup.matches("spawn").count() + setup.matches("start(").count();
    let scene = Scene::new(&body);
    scene.relation(&format!("<P.{}>", n_before + 1), &format!("<P.{}>", n_before + 2))
}

#[track_caller]
fn check(setup: &str, cases: &[(&str, &str, Relation)]) {
    for (a, b, expected) in cases {
        assert_eq!(between(setup, a, b), *expected, "{a}  |  {b}");
    }
}

#[test]
fn a_child_comes_after_its_spawn() {
    let scene = Scene::new(
        "spawn(fun() -> spawn(fun() -> self() ! x end) end), spawn(fun() -> self() ! y end)",
    );
    let spawn = scene.footprint("<P.1>");
    assert_eq!(scene.relation("<P.1>", "<P.2>"), Independent);
    let scene = scene.then("<P.1>");
    assert_eq!(scene.related(&spawn, &scene.footprint("<P.1.1>")), Ordered);
    assert_eq!(scene.related(&spawn, &scene.footprint("<P.2>")), Independent);
}

#[test]
fn deliveries_meet_in_a_mailbox() {
    let two = "R = spawn(fun() -> receive X -> X end end), spawn(fun() -> R ! a end), spawn(fun() -> R ! b end)";
    let scene = Scene::new(two);
    let (a, b) = (scene.footprint("<P.2>"), scene.footprint("<P.3>"));
    assert_eq!((a.deliveries.len(), b.deliveries.len()), (1, 1));
    assert_eq!(a.deliveries[0].mailbox, b.deliveries[0].mailbox);
    assert_ne!(a.deliveries[0].message, b.deliveries[0].message);
    assert_eq!(scene.relation("<P.2>", "<P.3>"), Independent, "nothing but the mailbox");
    // The receive takes either, so their order matters.
    let delivered = scene.then("<P.2>");
    assert!(delivered.takes("<P.1>", "<P.3>"));
    // A receive for one of them does not.
    let selective = two.replace("receive X -> X end", "receive a -> x end");
    let scene = Scene::new(&selective).then("<P.2>");
    assert!(!scene.takes("<P.1>", "<P.3>"));
    // Guards count as patterns do.
    let guarded = two.replace("receive X -> X end", "receive X when X =/= b -> x end");
    assert!(!Scene::new(&guarded).then("<P.2>").takes("<P.1>", "<P.3>"));
    // Equal messages have one number.
    let same = two.replace("R ! b", "R ! a");
    let scene = Scene::new(&same);
    assert_eq!(scene.footprint("<P.2>").deliveries, scene.footprint("<P.3>").deliveries);
    // Two mailboxes never meet.
    let apart = "R = self(), spawn(fun() -> R ! a end), spawn(fun() -> self() ! b end)";
    let scene = Scene::new(apart);
    let (a, b) = (scene.footprint("<P.1>"), scene.footprint("<P.2>"));
    assert_ne!(a.deliveries[0].mailbox, b.deliveries[0].mailbox);
}

#[test]
fn a_receive_names_what_it_takes_and_whether_it_could_give_up() {
    let body = |after: &str| {
        format!("R = spawn(fun() -> receive a -> x {after} end end), spawn(fun() -> R ! a end)")
    };
    for (after, may_time_out) in
        [("", false), ("after infinity -> y", false), ("after 9 -> y", true)]
    {
        let scene = Scene::new(&body(after));
        let delivery = scene.footprint("<P.2>").deliveries[0];
        let scene = scene.then("<P.2>");
        let receive = scene.footprint("<P.1>").receive.expect("a receive");
        assert_eq!((receive.mailbox, receive.message), (delivery.mailbox, Some(delivery.message)));
        assert_eq!(receive.may_time_out, may_time_out, "{after}");
    }
}

#[test]
fn giving_up_races_with_a_message_that_would_be_taken() {
    let body = "R = spawn(fun() -> receive {a, _} -> x after 0 -> y end end),\n\
                spawn(fun() -> R ! {a, 1} end), spawn(fun() -> R ! {b, 1} end)";
    let scene = Scene::new(body);
    let timeout = scene.footprint("<P.1>").receive.expect("a receive");
    assert_eq!((timeout.message, timeout.may_time_out), (None, true));
    assert!(scene.takes("<P.1>", "<P.2>"));
    assert!(!scene.takes("<P.1>", "<P.3>"));
}

#[test]
fn an_exit_signal_races_with_its_target_if_it_kills() {
    let target = |action: &str, flag: &str| {
        let body = format!(
            "P = spawn(fun() -> process_flag(trap_exit, {flag}), self() ! x, self() ! y end),\n\
             spawn(fun() -> {action} end)"
        );
        let scene = Scene::new(&body);
        let before = scene.relation("<P.1>", "<P.2>");
        let scene = scene.until("<P.1>", "send");
        (before, scene.relation("<P.1>", "<P.2>"))
    };
    assert_eq!(target("exit(P, kill)", "true"), (Race, Race));
    assert_eq!(target("exit(P, bye)", "false"), (Race, Race));
    // The flag changes what becomes of the signal; then it is a message.
    assert_eq!(target("exit(P, bye)", "true").1, Independent);
    assert_eq!(target("exit(P, normal)", "true"), (Race, Independent));
    // A flag that does not change, and a signal that is ignored.
    assert_eq!(target("exit(P, normal)", "false"), (Independent, Independent));
}

#[test]
fn what_a_killed_process_does_next_could_have_come_before() {
    let body = "P = spawn(fun() -> self() ! x, self() ! y end), spawn(fun() -> exit(P, kill) end),\n\
                spawn(fun() -> exit(P, kill) end), spawn(fun() -> exit(P, other) end)";
    let scene = Scene::new(body);
    let kill = scene.footprint("<P.2>");
    assert_eq!(scene.relation("<P.2>", "<P.3>"), Race, "both end its life");
    let scene = scene.then("<P.2>");
    assert!(scene.label("<P.1>").contains("exit killed"));
    assert_eq!(scene.related(&kill, &scene.footprint("<P.1>")), Race);
    // Any other signal could have been the first. Not being it, it has to do neither with the end nor with the others.
    for late in ["<P.3>", "<P.4>"] {
        assert_eq!(scene.related(&kill, &scene.footprint(late)), Race);
        assert_eq!(scene.relation("<P.1>", late), Independent);
    }
    assert_eq!(scene.relation("<P.3>", "<P.4>"), Independent);
}

#[test]
fn signals_to_who_has_ended_race_with_the_end_alone() {
    let body = "P = spawn(fun() -> ok end), spawn(fun() -> exit(P, kill) end), spawn(fun() -> exit(P, other) end)";
    let scene = Scene::new(body);
    let end = scene.footprint("<P.1>");
    let scene = scene.then("<P.1>");
    assert_eq!(scene.related(&end, &scene.footprint("<P.2>")), Race);
    assert_eq!(scene.relation("<P.2>", "<P.3>"), Independent);
}

#[test]
fn the_end_of_a_process_races_with_those_who_look_whether_it_lives() {
    let with = |other: &str| {
        let body = format!("P = spawn(fun() -> ok end), spawn(fun() -> {other} end)");
        Scene::new(&body).relation("<P.1>", "<P.2>")
    };
    for other in [
        "link(P)",
        "monitor(process, P)",
        "is_process_alive(P)",
        "process_info(P, status)",
        "processes()",
        "register(p, P)",
        "gen_server:call(P, x)",
        "group_leader(self(), P)",
        "ets:give_away(ets:new(t, []), P, x)",
    ] {
        let expected = if other.contains("give_away") { Independent } else { Race };
        assert_eq!(with(other), expected, "{other}");
    }
    for other in [
        "P ! hello",
        "is_process_alive(self())",
        "monitor(process, self())",
        "unlink(P)",
        "gen_server:cast(P, x)",
    ] {
        assert_eq!(with(other), Independent, "{other}");
    }
    assert_eq!(with("exit(P, kill)"), Race);
    assert_eq!(with("exit(P, normal)"), Independent);
    let body =
        "P = spawn(fun() -> ok end), spawn(fun() -> ets:give_away(ets:new(t, []), P, x) end)";
    let scene = Scene::new(body).until("<P.2>", "give_away");
    assert_eq!(scene.relation("<P.1>", "<P.2>"), Race);
    // Two ends never race.
    assert_eq!(between("ok", "ok", "ok"), Independent);
}

#[test]
fn what_an_ending_process_leaves_is_events_of_its_own() {
    let body = "P = spawn(fun() -> ets:new(t, [named_table]), register(p, self()), receive go -> ok end end), put(p, P),\n\
                link(P), spawn(fun() -> whereis(p) end), spawn(fun() -> ets:info(t, owner) end), spawn(fun() -> unlink(P) end)";
    let scene =
        Scene::new(&format!("process_flag(trap_exit, true), {body}, spawn(fun() -> P ! go end)"))
            .until("<P.1>", "register")
            .then("<P.1>")
            .then("<P.5>")
            .then("<P.1>");
    assert!(scene.label("<P.1>").contains("exit normal"), "{}", scene.label("<P.1>"));
    let others = ["<P.2>", "<P.3>", "<P.4>"];
    let relations = |scene: &Scene| others.map(|other| scene.relation("<P.1>", other));
    assert_eq!(relations(&scene), [Independent; 3]);
    let scene = scene.then("<P.1>");
    assert!(scene.label("<P.1>").contains("exit: tables"));
    assert_eq!(relations(&scene), [Independent, Race, Independent]);
    let scene = scene.then("<P.1>");
    assert!(scene.label("<P.1>").contains("exit: name"));
    assert_eq!(relations(&scene), [Race, Independent, Independent]);
    let scene = scene.then("<P.1>");
    assert!(scene.label("<P.1>").contains("exit: links"));
    // Nobody but the first process is linked, but who unlinks does not know.
    assert_eq!(relations(&scene), [Independent, Independent, Race]);
    assert_eq!(scene.footprint("<P.1>").deliveries.len(), 1, "the first process traps exits");
}

#[test]
fn names_race_with_the_same_name_or_process() {
    check(
        "P = spawn(fun() -> receive x -> x end end), register(n, P)",
        &[
            ("unregister(n)", "whereis(n)", Race),
            ("unregister(n)", "n ! hello", Race),
            ("unregister(n)", "monitor(process, n)", Race),
            ("unregister(n)", "{n, node()} ! hello", Race),
            ("unregister(n)", "unregister(n)", Race),
            ("unregister(n)", "registered()", Race),
            ("unregister(n)", "whereis(k)", Independent),
            ("unregister(n)", "register(k, P)", Race),
            ("register(k, self())", "whereis(k)", Race),
            ("register(k, self())", "register(k, self())", Race),
            ("register(k, self())", "register(l, self())", Independent),
            ("whereis(n)", "n ! hello", Independent),
            ("register(n, self())", "register(n, self())", Independent),
            ("register(n, self())", "whereis(n)", Independent),
            ("register(k, self())", "registered()", Race),
        ],
    );
}

#[test]
fn a_monitor_that_is_taken_back_races_with_its_message_unless_flushed() {
    for (options, expected) in
        [("[]", Race), ("[flush]", Independent), ("[flush, info]", Race), ("[info]", Race)]
    {
        let body = format!(
            "P = spawn(fun() -> ok end),\n\
             spawn(fun() -> R = monitor(process, P), demonitor(R, {options}) end)"
        );
        let scene = Scene::new(&body).until("<P.2>", "demonitor").then("<P.1>");
        assert!(scene.label("<P.1>").contains("exit: monitors"));
        assert_eq!(scene.relation("<P.1>", "<P.2>"), expected, "{options}");
        // The same when one of them has happened.
        let (down, back) = (scene.footprint("<P.1>"), scene.footprint("<P.2>"));
        assert_eq!(down.deliveries.len(), 1);
        let scene = scene.then("<P.2>");
        assert_eq!(scene.related(&back, &scene.footprint("<P.1>")), expected, "{options}");
        let scene = Scene::new(&body).until("<P.2>", "demonitor").then("<P.1>").then("<P.1>");
        assert_eq!(scene.related(&down, &scene.footprint("<P.2>")), expected, "{options}");
    }
}

#[test]
fn tables_race_where_keys_meet() {
    check(
        "ets:new(t, [named_table, public]), ets:insert(t, [{a, 1}, {b, 2}])",
        &[
            ("ets:insert(t, {x, 1})", "ets:insert(t, {x, 2})", Race),
            ("ets:insert(t, {x, 1})", "ets:insert(t, {x, 1})", Independent),
            ("ets:insert(t, {x, 1})", "ets:insert(t, {y, 1})", Independent),
            ("ets:insert(t, [{x, 1}, {y, 1}])", "ets:insert(t, {y, 2})", Race),
            ("ets:insert(t, {x, 1})", "ets:lookup(t, x)", Race),
            ("ets:insert(t, {x, 1})", "ets:lookup(t, y)", Independent),
            ("ets:insert(t, {x, 1})", "ets:member(t, x)", Race),
            ("ets:insert_new(t, {a, 3})", "ets:lookup(t, a)", Independent),
            ("ets:insert_new(t, {x, 3})", "ets:lookup(t, x)", Race),
            ("ets:insert_new(t, {x, 3})", "ets:insert_new(t, {x, 3})", Race),
            ("ets:insert_new(t, {a, 3})", "ets:insert_new(t, {a, 3})", Independent),
            ("ets:insert_new(t, {a, 3})", "ets:delete(t, a)", Race),
            ("ets:delete(t, a)", "ets:delete(t, a)", Independent),
            ("ets:delete(t, a)", "ets:lookup(t, a)", Race),
            ("ets:take(t, a)", "ets:take(t, a)", Race),
            ("ets:take(t, none)", "ets:take(t, none)", Independent),
            ("ets:update_counter(t, a, 1)", "ets:update_counter(t, a, 1)", Race),
            ("ets:update_counter(t, a, 1)", "ets:update_counter(t, b, 1)", Independent),
            ("ets:update_counter(t, none, 1)", "ets:lookup(t, none)", Independent),
            ("ets:delete_object(t, {a, 1})", "ets:lookup(t, a)", Race),
            ("ets:delete_object(t, {a, 7})", "ets:lookup(t, a)", Independent),
        ],
    );
}

#[test]
fn tables_race_with_those_who_look_at_all_of_them() {
    check(
        "ets:new(t, [named_table, public]), ets:insert(t, [{a, 1}, {b, 2}])",
        &[
            ("ets:insert(t, {x, 1})", "ets:tab2list(t)", Race),
            ("ets:insert(t, {x, 1})", "ets:first(t)", Race),
            ("ets:insert(t, {x, 1})", "ets:info(t, size)", Race),
            ("ets:insert(t, {x, 1})", "ets:info(t, owner)", Independent),
            ("ets:tab2list(t)", "ets:tab2list(t)", Independent),
            ("ets:delete_all_objects(t)", "ets:lookup(t, a)", Race),
            ("ets:delete_all_objects(t)", "ets:insert(t, {x, 1})", Race),
            ("ets:insert(t, {x, 1})", "ets:match(t, {'$1', 1})", Race),
            ("ets:insert(t, {x, 1})", "ets:match(t, {'$1', 2})", Independent),
            ("ets:insert(t, {a, 7})", "ets:match(t, {'$1', 1})", Race),
            (
                "ets:insert(t, {x, 5})",
                "ets:select(t, [{{'$1', '$2'}, [{'>', '$2', 3}], ['$1']}])",
                Race,
            ),
            (
                "ets:insert(t, {x, 2})",
                "ets:select(t, [{{'$1', '$2'}, [{'>', '$2', 3}], ['$1']}])",
                Independent,
            ),
            ("ets:insert(t, {x, 2})", "ets:select_count(t, [{{x, '_'}, [], [true]}])", Race),
            ("ets:delete(t, a)", "ets:match_object(t, {b, '_'})", Independent),
            ("ets:delete(t, a)", "ets:match_object(t, {a, '_'})", Race),
            ("ets:match_delete(t, {a, '_'})", "ets:lookup(t, a)", Race),
            ("ets:match_delete(t, {a, '_'})", "ets:lookup(t, b)", Independent),
            ("ets:match_delete(t, {x, '_'})", "ets:insert(t, {x, 1})", Race),
            ("ets:match_delete(t, {x, '_'})", "ets:insert(t, {y, 1})", Independent),
        ],
    );
}

#[test]
fn tables_as_a_whole_race_with_anything() {
    check(
        "ets:new(t, [named_table, public]), ets:new(u, [named_table, public])",
        &[
            ("ets:delete(t)", "ets:lookup(t, a)", Race),
            ("ets:delete(t)", "ets:insert(t, {a, 1})", Race),
            ("ets:delete(t)", "ets:lookup(u, a)", Independent),
            ("ets:rename(t, v)", "ets:lookup(t, a)", Race),
            ("ets:rename(t, v)", "ets:whereis(v)", Race),
            ("ets:rename(t, v)", "ets:whereis(u)", Independent),
            ("ets:new(w, [named_table])", "ets:new(w, [named_table])", Race),
            ("ets:new(w, [named_table])", "ets:new(v, [named_table])", Independent),
            ("ets:new(t, [named_table])", "ets:new(t, [named_table])", Independent),
            ("ets:new(w, [])", "ets:new(w, [])", Independent),
            ("ets:new(w, [named_table])", "ets:insert(w, {a, 1})", Race),
            ("ets:new(w, [])", "ets:all()", Race),
            // Two that fail never race.
            ("ets:lookup(none, a)", "ets:insert(none, {a, 1})", Independent),
        ],
    );
}

#[test]
fn a_timer_races_with_those_who_cancel_or_read_it() {
    let body = |what: &str| {
        format!(
            "spawn(fun() -> T = erlang:send_after(9, self(), x), U = erlang:send_after(9, self(), x),\n\
             {what}, receive x -> x end, put(u, U) end)"
        )
    };
    for (what, next, expected) in [
        ("erlang:cancel_timer(T)", "cancel", Race),
        ("erlang:read_timer(T)", "read", Race),
        ("self() ! y", "send <", Independent),
    ] {
        let scene = Scene::new(&body(what)).until("<P.1>", next);
        assert_eq!(scene.relation("timer of <P.1>", "<P.1>"), expected, "{what}");
    }
    // Cancelled first, it fires without effect, and the race is still seen.
    let scene = Scene::new(&body("erlang:cancel_timer(T)")).until("<P.1>", "cancel_timer");
    let cancel = scene.footprint("<P.1>");
    let fires = scene.footprint("timer of <P.1>");
    let scene = scene.then("<P.1>");
    let dud = scene.footprint("timer of <P.1>");
    assert_eq!((fires.thread, fires.deliveries.len(), dud.deliveries.len()), (dud.thread, 1, 0));
    assert_eq!(scene.related(&cancel, &dud), Race);
    // Setting it only comes before.
    let scene = Scene::new(&body("ok"));
    let set = scene.footprint("<P.1>");
    let scene = scene.then("<P.1>");
    assert_eq!(scene.related(&set, &scene.footprint("timer of <P.1>")), Ordered);
}

#[test]
fn shared_cells_and_terms_race_where_they_are_the_same() {
    check(
        "C = counters:new(2, []), persistent_term:put(k, 1)",
        &[
            ("counters:add(C, 1, 1)", "counters:add(C, 1, 2)", Independent),
            ("counters:add(C, 1, 1)", "counters:get(C, 1)", Race),
            ("counters:add(C, 1, 1)", "counters:get(C, 2)", Independent),
            ("counters:add(C, 1, 1)", "counters:put(C, 1, 5)", Race),
            ("counters:put(C, 1, 5)", "counters:put(C, 1, 5)", Independent),
            ("counters:put(C, 1, 5)", "counters:put(C, 1, 6)", Race),
            ("persistent_term:put(k, 2)", "persistent_term:get(k)", Race),
            ("persistent_term:put(k, 2)", "persistent_term:put(k, 2)", Independent),
            ("persistent_term:put(k, 2)", "persistent_term:put(l, 3)", Independent),
            ("persistent_term:put(k, 2)", "persistent_term:get()", Race),
            ("persistent_term:erase(k)", "persistent_term:erase(k)", Race),
            ("persistent_term:erase(z)", "persistent_term:erase(z)", Independent),
        ],
    );
    check(
        "C = atomics:new(2, [])",
        &[
            ("atomics:add_get(C, 1, 1)", "atomics:add_get(C, 1, 1)", Race),
            ("atomics:add_get(C, 1, 1)", "atomics:add_get(C, 2, 1)", Independent),
            ("atomics:compare_exchange(C, 1, 0, 1)", "atomics:get(C, 1)", Race),
            ("atomics:compare_exchange(C, 1, 7, 1)", "atomics:get(C, 1)", Independent),
        ],
    );
}

#[test]
fn output_does_not_race_and_stopping_races_with_everything() {
    check(
        "ok",
        &[
            ("io:format(\"a\")", "io:format(\"b\")", Independent),
            ("halt()", "io:format(\"b\")", Race),
            ("halt()", "erlang:halt(1)", Race),
        ],
    );
}

#[test]
fn mailboxes_that_are_looked_at_race_with_what_comes() {
    let setup = "P = spawn(fun() -> receive x -> x end end)";
    check(
        setup,
        &[
            ("process_info(P, message_queue_len)", "P ! y", Race),
            ("process_info(P, messages)", "self() ! y", Independent),
            ("process_info(P, links)", "P ! y", Independent),
            ("process_info(P, links)", "link(P)", Race),
            ("process_info(P, monitored_by)", "monitor(process, P)", Race),
            ("process_info(P, registered_name)", "register(n, P)", Race),
        ],
    );
}

#[test]
fn behaviours_race_as_what_they_are_made_of() {
    check(
        "{ok, S} = gen_server:start({local, s}, m, 0, [])",
        &[
            ("gen_server:call(S, a)", "gen_server:call(S, b)", Independent),
            ("gen_server:call(s, a)", "unregister(s)", Race),
            ("gen_server:call(s, a)", "gen_server:cast(s, b)", Independent),
            ("gen_server:cast(S, a)", "exit(S, kill)", Independent),
            ("gen_server:call(S, a)", "exit(S, kill)", Race),
        ],
    );
    let scene = Scene::new(
        "{ok, S} = gen_server:start(m, 0, []), spawn(fun() -> gen_server:call(S, a) end),\n\
         spawn(fun() -> gen_server:cast(S, b) end)",
    );
    let (call, cast) = (scene.footprint("<P.2>"), scene.footprint("<P.3>"));
    assert_eq!(call.deliveries[0].mailbox, cast.deliveries[0].mailbox);
    // The server takes a request, and answers to the caller's mailbox.
    let scene = scene.then("<P.2>");
    let taking = scene.footprint("<P.1>");
    let taken = taking.receive.and_then(|receive| receive.message);
    assert_eq!((taken, taking.deliveries.len()), (Some(call.deliveries[0].message), 0));
    assert!(scene.takes("<P.1>", "<P.3>"), "a server takes whatever comes first");
    let answer = scene.then("<P.1>").footprint("<P.1>");
    assert_eq!((answer.receive, answer.deliveries.len()), (None, 1));
    check(
        "ok",
        &[
            (
                "gen_server:start({local, x}, m, 0, [])",
                "gen_server:start({local, x}, m, 0, [])",
                Race,
            ),
            (
                "gen_server:start({local, x}, m, 0, [])",
                "gen_server:start({local, y}, m, 0, [])",
                Independent,
            ),
        ],
    );
}

#[test]
fn an_answer_races_with_giving_up_waiting_for_it() {
    let body =
        "{ok, S} = gen_server:start(m, 0, []), spawn(fun() -> catch gen_server:call(S, a, 5) end)";
    let scene = Scene::new(body).until("<P.2>", "timeout").until("<P.1>", "reply");
    // Giving up and the answer that would be taken.
    assert!(scene.takes("<P.2>", "<P.1>"));
    let scene = scene.then("<P.2>");
    assert!(scene.label("<P.2>").contains("give the call up"), "{}", scene.label("<P.2>"));
    assert_eq!(scene.relation("<P.1>", "<P.2>"), Race);
}

#[test]
fn without_instant_delivery_a_channel_acts() {
    let body = "R = spawn(fun() -> receive X -> X end end), spawn(fun() -> R ! a, R ! b end), spawn(fun() -> R ! c end)";
    let options = Options { instant_delivery: false, ..Options::default() };
    let scene = Scene::with(body, options);
    let (first, third) = (scene.footprint("<P.2>"), scene.footprint("<P.3>"));
    assert!(first.deliveries.is_empty() && third.deliveries.is_empty());
    assert_eq!(scene.related(&first, &third), Independent);
    let scene = scene.then("<P.2>");
    let second = scene.footprint("<P.2>");
    let mut actions = Vec::new();
    scene.system.enabled(&scene.state, &mut actions);
    let deliver = actions
        .into_iter()
        .find(|action| scene.system.label(&scene.state, *action).verb == Verb::Deliver)
        .expect("the channel delivers");
    let delivery = scene.system.footprint(&scene.state, deliver);
    assert_eq!(delivery.deliveries.len(), 1);
    assert_ne!(delivery.thread, first.thread);
    assert_eq!(scene.related(&first, &delivery), Ordered);
    assert_eq!(
        scene.related(&second, &delivery),
        Independent,
        "the next may be sent before or after"
    );
}
