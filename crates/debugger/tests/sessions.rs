//! A session as pages use it: stepping, branching, looking ahead and back, sharing, misbehaving systems.

#![allow(clippy::disallowed_methods, reason = "a test of an edge")]

mod common;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use common::{Server, at_start, forgetful};
use foresee_debugger::Options;
use foresee_session::{CheckRequest, Inspection, NoFiles, NoMeter, Silent, Source, check, open};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

fn rows(page: &mut common::Page, branch: u64) -> Vec<Value> {
    let rows = page.ask(json!({"do": "rows", "branch": branch, "from": 0, "to": 1000}));
    rows["rows"].as_array().expect("rows").clone()
}

#[test]
fn a_violation_opens_explained() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let opening = match page.hello["opening"]["is_pending"] == json!(true) {
        true => page.news("opening")["opening"].clone(),
        false => page.hello["opening"].clone(),
    };
    assert_eq!(opening["reason"], "violation");
    assert_eq!(opening["verdict"], "violated: linearizable");
    let headline = opening["headline"].as_str().expect("a sentence");
    assert_eq!(
        headline,
        "client2's Read returned A, although client1's Read had returned B before client2 asked."
    );
    assert!(opening["why"][0].as_str().is_some_and(|it| it.contains("no order")), "{opening}");
    assert_eq!((&opening["place"], &opening["decisive"]), (&json!(17), &json!(11)));
    assert_eq!(opening["suspect"], json!(7), "{opening}");
    let why = opening["suspect_why"].as_str().expect("a sentence");
    assert!(why.contains("server3.ballot.round 2 became 1"), "{why}");
    let bars = opening["operations"].as_array().expect("bars");
    let of = |client: &str| bars.iter().find(|it| it["member"] == client).expect("a client");
    assert_eq!(of("client1")["operations"][1]["result"], "ReadOk(B)");
    let last = &of("client2")["operations"][1];
    assert_eq!(
        (&last["from"], &last["to"], &last["impossible"]),
        (&json!(15), &json!(17), &json!(true))
    );
    let rows = rows(&mut page, 0);
    assert_eq!(rows.len(), 18);
    assert_eq!(rows[17]["marks"], json!(["violation"]));
    assert_eq!(rows[11]["marks"], json!(["decisive"]));
    assert_eq!(rows[7]["marks"], json!(["suspect"]));
    let caption = rows[7]["caption"].as_str().expect("a caption");
    assert!(caption.starts_with("server3 receives Accept"), "{caption}");
    assert!(caption.contains("ballot.round 2 became 1"), "{caption}");
    let properties = rows[17]["properties"].as_str().expect("marks");
    assert!(
        properties.starts_with('v')
            && rows[16]["properties"].as_str().expect("marks").starts_with('h')
    );
}

#[test]
fn branches_are_made_by_stepping_elsewhere_and_all_pages_hear_of_it() {
    let server = Server::start(forgetful());
    let (mut one, mut other) = (server.page(), server.page());
    let before = one.ask(json!({"do": "state", "place": 12, "have": []}))["hash"].clone();
    let choices = one.ask(json!({"do": "choices", "place": 6}));
    let all = choices["choices"].as_array().expect("choices");
    let recorded: Vec<&Value> = all.iter().filter(|it| it["recorded"] == json!(true)).collect();
    assert_eq!(recorded.len(), 1);
    let step = |it: &Value| json!({"do": "step", "place": 6, "choice": it["choice"], "label": it["label"]["text"]});
    let again = one.ask(step(recorded[0]));
    assert_eq!(again, json!({"place": 7, "new": false, "branch": 0}));
    let new = all.iter().find(|it| it["recorded"] == json!(false)).expect("another choice");
    let taken = one.ask(step(new));
    assert_eq!((&taken["new"], &taken["branch"]), (&json!(true), &json!(1)));
    let news = other.news("branches");
    assert_eq!(news["branches"][1]["from"], json!(6));
    assert_eq!(other.news("moved")["place"], json!(7), "the first step");
    assert_eq!(other.news("moved")["place"], taken["place"]);
    let list = one.ask(json!({"do": "rows", "from": 0, "to": 100}));
    let places: Vec<&Value> =
        list["rows"].as_array().expect("rows").iter().map(|it| &it["place"]).collect();
    assert_eq!(
        places[6..9],
        [&json!(6), &taken["place"], &json!(7)],
        "right after what it forks from"
    );
    assert_eq!(list["rows"][7]["rail"], json!(1));
    assert_eq!(one.ask(json!({"do": "state", "place": 12, "have": []}))["hash"], before);
    let wrong =
        one.refused(json!({"do": "step", "place": 6, "choice": 0, "label": "deliver a -> b x"}));
    assert_eq!(wrong["code"], "label-disagrees");
}

#[test]
fn parts_are_sent_once() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let state = page.ask(json!({"do": "state", "place": 6, "have": []}));
    let have: Vec<&String> = state["parts"].as_object().expect("parts").keys().collect();
    assert!(have.len() > 5);
    let next = page.ask(json!({"do": "state", "place": 7, "have": have}));
    let sent = next["parts"].as_object().expect("parts");
    assert!(
        !sent.is_empty() && sent.len() < 5 && sent.keys().all(|key| !have.contains(&key)),
        "{sent:?}"
    );
    let round = next["changes"]
        .as_array()
        .expect("changes")
        .iter()
        .find(|it| it["path"] == json!(["ballot", "round"]));
    let round = round.expect("the promise is taken back");
    assert_eq!((&round["before"], &round["after"]), (&json!({"leaf": "2"}), &json!({"leaf": "1"})));
}

#[test]
fn the_outlook_is_told_choice_by_choice_and_equals_separate_checks() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let started = Instant::now();
    let outlook =
        page.ask(json!({"do": "outlook", "place": 6, "limits": {"states": 200_000, "ms": 60_000}}));
    let seconds = started.elapsed().as_secs_f64();
    assert_eq!(outlook["complete"], json!(true), "{outlook} after {seconds} s");
    let told = page.news.iter().filter(|it| it["news"] == "outlook").count();
    let choices = page.ask(json!({"do": "choices", "place": 6}));
    let all = choices["choices"].as_array().expect("choices").clone();
    assert_eq!(told, all.len());
    for choice in all {
        let text = choice["label"]["text"].clone();
        let taken =
            page.ask(json!({"do": "step", "place": 6, "choice": choice["choice"], "label": text}));
        let alone = page.ask(json!({"do": "until", "place": taken["place"], "when": {"finding": true}, "limits": {"states": 500_000, "ms": 60_000}}));
        let is_reached = !alone["place"].is_null();
        assert_eq!(is_reached, choice["outlook"] != "none", "{choice} {alone}");
    }
}

#[test]
fn the_outlook_from_the_start_is_complete_in_time() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let limits = json!({"states": 200_000, "ms": 60_000});
    let started = Instant::now();
    let outlook = page.ask(json!({"do": "outlook", "place": 0, "limits": limits}));
    let taken = started.elapsed();
    assert_eq!(outlook["complete"], json!(true), "{outlook}");
    assert_eq!((&outlook["here"], &outlook["shortest"]), (&json!("some"), &json!(17)));
    assert_eq!(outlook["states"], json!(29_676), "every state that can be reached");
    // 2 s on a machine of its own, with an optimised build; a loaded one is given much more.
    assert!(taken < Duration::from_secs(40), "{taken:?}");
}

#[test]
fn a_step_is_answered_in_time() {
    let server = Server::start(at_start("paxos", &["clients=3"]));
    let mut page = server.page();
    let (mut place, mut times) = (json!(0), Vec::new());
    for number in 0..25 {
        let choices = page.ask(json!({"do": "choices", "place": place}));
        let choices = choices["choices"].as_array().expect("choices");
        let Some(one) = choices.get(number % choices.len().max(1)) else {
            place = json!(0);
            continue;
        };
        let step = json!({"do": "step", "place": place, "choice": one["choice"], "label": one["label"]["text"]});
        let started = Instant::now();
        place = page.ask(step)["place"].clone();
        page.ask(json!({"do": "state", "place": place, "have": []}));
        page.ask(json!({"do": "choices", "place": place}));
        times.push(started.elapsed());
    }
    times.sort();
    assert!(times.len() >= 20, "a run of some length: {}", times.len());
    let median = times[times.len() / 2];
    // 20 ms on a machine of its own; a loaded one is given more.
    assert!(median < Duration::from_millis(500), "{times:?}");
}

#[test]
fn the_nearest_good_run_leaves_just_before_it_was_decided() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let limits = json!({"states": 200_000, "ms": 60_000});
    let good = page.ask(json!({"do": "good", "place": 17, "limits": limits}));
    // After step 11 every run goes wrong, so step 10 is the last that can be shared.
    assert_eq!(good["from"], json!(10), "{good}");
    let text = good["text"].as_str().expect("a sentence");
    assert!(text.starts_with("The same until step 10; then `server2 -> server3 Decided"), "{text}");
    assert!(text.contains(" instead of `server1 -> server3 Decided"), "{text}");
    let branch = good["branch"].as_u64().expect("a branch");
    let rows = rows(&mut page, branch);
    assert!(rows.iter().all(|row| row["findings"] == json!([])), "nothing is wrong on it");
    let tip = rows.last().expect("rows")["place"].clone();
    assert_eq!(tip, good["tip"]);
    let choices = page.ask(json!({"do": "choices", "place": tip}));
    assert_eq!(choices["choices"], json!([]), "it ends");
    let branches = page.ask(json!({"do": "branches"}));
    assert_eq!(branches["branches"][1]["name"], "nearest-good-run");
    let none = page.ask(json!({"do": "good", "place": 17, "limits": {"states": 1, "ms": 60_000}}));
    assert!(none["branch"].is_null(), "{none}");
    assert!(none["text"].as_str().is_some_and(|it| it.contains("limit on states")), "{none}");
}

#[test]
fn the_compass_says_how_far_a_goal_is_and_which_choice_leads_there() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let limits = json!({"states": 200_000, "ms": 60_000});
    let names = page.hello["properties"].as_array().expect("properties").clone();
    let goal = names.iter().position(|it| it["kind"] == "reachable").expect("a goal");
    let mut at = 0u64;
    let mut before = None;
    // Following it gets one step nearer each time, and to the goal.
    loop {
        let compass = page.ask(json!({"do": "compass", "place": at, "limits": limits}));
        let toward = compass["goals"][0].clone();
        assert_eq!(toward["property"], json!(goal), "{compass}");
        let steps = toward["steps"].as_u64().expect("it can be reached");
        assert!(before.is_none_or(|before| steps + 1 == before), "{compass}");
        before = Some(steps);
        if steps == 0 {
            break;
        }
        let choices = page.ask(json!({"do": "choices", "place": at}));
        let all = choices["choices"].as_array().expect("choices");
        let choice = all.iter().find(|it| it["choice"] == toward["choice"]).expect("a choice");
        let label = choice["label"]["text"].clone();
        let step = json!({"do": "step", "place": at, "choice": toward["choice"], "label": label});
        at = page.ask(step)["place"].as_u64().expect("a place");
    }
    let state = page.ask(json!({"do": "state", "place": at, "have": []}));
    let holds = state["properties"].as_array().expect("properties").iter();
    let holds: Vec<&Value> = holds.filter(|it| it["property"] == json!(goal)).collect();
    assert_eq!(holds[0]["holds"], json!(true), "{holds:?}");
}

#[test]
fn a_goal_that_was_missed_opens_where_its_phase_began() {
    let source = Source::nodes("paxos", &["clients=2"]);
    let loaded = open(&source, &common::registry(), &NoFiles).expect("a system");
    let guide = Some("a forgotten promise".to_owned());
    let request = CheckRequest { guide, ..CheckRequest::default() };
    let report = check(&loaded, &request, &NoMeter, &mut Silent);
    let server = Server::start(Inspection::of_report(&loaded, &report, common::home()));
    let mut page = server.page();
    let opening = page.hello["opening"].clone();
    assert_eq!(opening["reason"], "goal");
    let headline = opening["headline"].as_str().expect("a sentence");
    assert!(headline.contains("the older ballot is decided all the same"), "{headline}");
    let why = opening["why"][0].as_str().expect("a sentence");
    assert!(why.contains("holds nowhere within the phase"), "{why}");
    // The first phase had found its goal: both proposers have a quorum of promises.
    let place = opening["place"].as_u64().expect("a place");
    assert!(place > 0, "{opening}");
    assert_eq!(rows(&mut page, 0).len() as u64, place + 1);
}

#[test]
fn run_until_finds_the_nearest_place_or_says_that_it_did_not() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let when = json!({"field": ["server3", "ballot", "round"], "is": "=", "value": "2"});
    let few = page.ask(
        json!({"do": "until", "place": 0, "when": when, "limits": {"states": 10, "ms": 60_000}}),
    );
    assert_eq!((&few["place"], &few["stopped_by"]), (&Value::Null, &json!("states")));
    let found = page.ask(json!({"do": "until", "place": 0, "when": when, "limits": {"states": 100_000, "ms": 60_000}}));
    let branch = found["branch"].as_u64().expect("a branch");
    let list = rows(&mut page, branch);
    let n = list.iter().position(|it| it["place"] == found["place"]).expect("on the branch") + 1;
    let asked = json!({"do": "watch_values", "path": "server3.ballot.round", "branch": branch, "from": 0, "to": n});
    let values = page.ask(asked)["values"].as_array().expect("values").clone();
    assert_eq!(values.iter().position(|it| it == "2"), Some(n - 1), "{values:?}");
    // What never happens is said to be so, with what the field is instead.
    let high = json!({"field": ["server3", "ballot", "round"], "is": "=", "value": "9"});
    let never = page.ask(json!({"do": "until", "place": 0, "when": high, "limits": {"states": 100_000, "ms": 60_000}}));
    assert_eq!((&never["place"], &never["stopped_by"]), (&Value::Null, &Value::Null), "{never}");
    assert_eq!(never["seen"], json!(["0", "1", "2"]), "{never}");
    let nobody = json!({"field": ["sever3"], "is": "=", "value": "2"});
    let refused = page.refused(json!({"do": "until", "place": 0, "when": nobody}));
    assert_eq!(refused["code"], "no-such-member");
}

#[test]
fn what_takes_long_can_be_cancelled_and_keeps_nobody_waiting() {
    let server = Server::start(at_start("paxos", &["clients=4"]));
    let mut page = server.page();
    let id = page
        .send(json!({"do": "outlook", "place": 0, "limits": {"states": 5_000_000, "ms": 600_000}}));
    let progress = page.news("progress");
    assert_eq!(progress["of"], json!(id));
    let started = Instant::now();
    page.ask(json!({"do": "state", "place": 0, "have": []}));
    assert!(started.elapsed() < Duration::from_secs(30), "other requests are answered meanwhile");
    let started = Instant::now();
    page.send(json!({"do": "cancel", "of": id}));
    let answer = page.answer(id);
    let taken = started.elapsed();
    assert_eq!(answer["error"]["code"], "cancelled");
    // 300 ms on a machine of its own; a loaded one is given much more. The search itself would take minutes.
    assert!(taken < Duration::from_secs(20), "{taken:?}");
}

#[test]
fn faults_are_counted_refused_and_allowed_beyond_the_check() {
    let server = Server::start(at_start("storage", &[]));
    let mut page = server.page();
    let crashed = page.step(0, "crash server2");
    let choices = page.ask(json!({"do": "choices", "place": crashed["place"]}));
    let left =
        choices["faults"].as_array().expect("budgets").iter().find(|it| it["word"] == "crash");
    assert_eq!(left.expect("a budget")["left"], json!(0));
    let why: Vec<&Value> =
        choices["not_possible"].as_array().expect("reasons").iter().map(|it| &it["why"]).collect();
    assert!(why.contains(&&json!("no crashes left")), "{why:?}");
    let state = page.ask(json!({"do": "state", "place": crashed["place"], "have": []}));
    assert_eq!(state["members"][1]["status"], "crashed");
    let more = page.ask(json!({"do": "faults", "branch": 0, "on": true}));
    let branch = more["branch"].as_u64().expect("a branch");
    let list = rows(&mut page, branch);
    let (row, before) = (&list[list.len() - 1], &list[list.len() - 2]);
    assert_eq!((&row["step"], &row["label"]), (&before["step"], &Value::Null));
    let again = page.step(row["place"].as_u64().expect("a place"), "crash server1");
    assert_eq!(again["branch"], json!(branch));
    let trace = page.ask(json!({"do": "export", "format": "trace", "branch": branch}));
    let text = trace["text"].as_str().expect("a trace");
    assert!(text.contains("crashes-max = 3") && text.contains("crash server1"), "{text}");
}

#[test]
fn a_timer_that_cannot_fire_says_which_one_is_before_it() {
    let server = Server::start(at_start("timers", &[]));
    let mut page = server.page();
    let choices = page.ask(json!({"do": "choices", "place": 0}));
    assert_eq!(choices["choices"].as_array().expect("choices").len(), 1);
    let why = choices["not_possible"][0]["why"].as_str().expect("a reason");
    assert!(why.contains("First"), "{why}");
    let fired = page.step(0, "timer clock First");
    page.step(fired["place"].as_u64().expect("a place"), "timer clock Second");
}

#[test]
fn a_handler_that_panics_is_a_violation() {
    let server = Server::start(at_start("misbehaving", &[]));
    let mut page = server.page();
    let taken = page.step(0, "Panic");
    let rows = page.ask(json!({"do": "rows", "from": 0, "to": 9}));
    let row =
        rows["rows"].as_array().expect("rows").iter().find(|it| it["place"] == taken["place"]);
    let row = row.expect("the row");
    assert_eq!(row["findings"][0]["kind"], "panic", "{row}");
    assert!(row["findings"][0]["message"].as_str().expect("words").contains("I was told to"));
}

#[test]
fn a_handler_that_loops_is_cut_and_the_session_goes_on() {
    let server = Server::start(at_start("misbehaving", &[]));
    let mut page = server.page();
    let taken = page.step(0, "Go");
    let choices = page.ask(json!({"do": "choices", "place": taken["place"]}));
    let all = choices["choices"].as_array().expect("choices");
    let is_loop = |it: &&Value| it["label"]["text"].as_str().is_some_and(|it| it.contains("Loop"));
    let (choice, label) = {
        let it = all.iter().find(is_loop).expect("it can be told to loop");
        (it["choice"].clone(), it["label"]["text"].clone())
    };
    let step = json!({"do": "step", "place": taken["place"], "choice": choice, "label": label});
    let id = page.send(step);
    assert_eq!(page.answer(id)["error"]["code"], "too-slow");
    page.news("reloaded");
    let rows = page.ask(json!({"do": "rows", "from": 0, "to": 9}));
    assert_eq!(rows["total"], json!(2), "it is as it was before that step");
}

#[test]
fn looking_ahead_into_a_handler_that_loops_can_be_cancelled() {
    let server = Server::start(at_start("misbehaving", &[]));
    let mut page = server.page();
    // At once, before it may have begun; and when it is most likely in the handler.
    for wait in [0, 300] {
        let id = page.send(json!({"do": "outlook", "place": 0}));
        std::thread::sleep(Duration::from_millis(wait));
        page.send(json!({"do": "cancel", "of": id}));
        assert_eq!(page.answer(id)["error"]["code"], "cancelled");
    }
    assert_eq!(page.ask(json!({"do": "rows", "from": 0, "to": 9}))["total"], json!(1));
}

#[test]
fn a_session_survives_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("paxos.session");
    let text = {
        let options = Options { file: Some(file.clone()), ..Options::default() };
        let server = Server::with(forgetful(), options);
        let mut page = server.page();
        let choices = page.ask(json!({"do": "choices", "place": 6}));
        let all = choices["choices"].as_array().expect("choices");
        let new = all.iter().find(|it| it["recorded"] == json!(false)).expect("another choice");
        let text = new["label"]["text"].clone();
        page.ask(json!({"do": "step", "place": 6, "choice": new["choice"], "label": text}));
        page.ask(json!({"do": "name_branch", "branch": 1, "name": "the other way"}));
        page.ask(json!({"do": "note", "place": 7, "text": "server3 had promised ballot 2"}));
        page.ask(json!({"do": "pin", "path": "server3.ballot", "on": true}));
        page.ask(json!({"do": "view", "place": 7, "only_mattered": true}));
        page.ask(json!({"do": "save"}))["text"].as_str().expect("text").to_owned()
    };
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), text);
    let mut inspection = Inspection::of_session(&text, common::home()).expect("a session");
    assert_eq!(inspection.to_session(), text);
    let server = Server::start(inspection);
    let mut page = server.page();
    assert_eq!(page.hello["branches"][1]["name"], "the-other-way");
    assert_eq!(page.hello["notes"], json!([{"place": 7, "text": "server3 had promised ballot 2"}]));
    assert_eq!(page.hello["view"], json!({"place": 7, "only_mattered": true}));
    assert_eq!(page.hello["opening"]["verdict"], "violated: linearizable");
    assert_eq!(rows(&mut page, 0).len(), 18);
}

#[test]
fn a_session_of_other_code_says_where_it_stops() {
    let text = forgetful().to_session().replace("bug=forgetful", "bug=none");
    let inspection = Inspection::of_session(&text, common::home()).expect("a session");
    let server = Server::start(inspection);
    let page = server.page();
    let stopped = &page.hello["branches"][0]["stopped"];
    assert!(stopped["step"].as_u64().is_some_and(|step| step > 6), "{stopped}");
    assert!(!stopped["rest"].as_array().expect("the rest").is_empty());
    assert!(
        page.hello["opening"]["headline"].as_str().expect("words").contains("no longer possible")
    );
    let broken = [
        ("foresee session 9\n", "begins"),
        ("foresee session 1\nsystem: ping\n\nrun main\n", "cut off"),
    ];
    for (text, words) in broken {
        let news = Inspection::of_session(text, common::home()).err().expect("damaged");
        assert!(news.message.contains(words), "{news}");
    }
}

#[test]
fn what_a_run_tells_can_be_asked() {
    let server = Server::start(forgetful());
    let mut page = server.page();
    let blame =
        page.ask(json!({"do": "blame", "place": 7, "member": 2, "path": ["ballot", "round"]}));
    let chain = blame["chain"].as_array().expect("a chain");
    assert_eq!(chain[0]["place"], json!(7));
    assert_eq!(chain[1]["place"], json!(6), "{blame}");
    assert!(
        chain.len() >= 4
            && chain.windows(2).all(|it| it[0]["place"].as_u64() > it[1]["place"].as_u64())
    );
    let found = page.ask(json!({"do": "find", "type": "Accept"}));
    assert_eq!(found["places"], json!([7, 8]));
    let found = page.ask(json!({"do": "find", "property": 0}));
    assert_eq!(found["places"], json!([17]));
    let story = page.ask(json!({"do": "story", "branch": 0}));
    let sentences = story["sentences"].as_array().expect("sentences");
    assert!(sentences.len() >= 4 && sentences.len() < 17, "{story}");
    assert_eq!(
        (&sentences[0]["first"], &sentences[sentences.len() - 1]["last"]),
        (&json!(1), &json!(17))
    );
    let followed = page.ask(json!({"do": "follow", "place": 0, "text": "1  deliver client1 -> server1 Put(1, A)\n2  crash server1\n"}));
    assert_eq!((&followed["place"], &followed["stopped"]["step"]), (&json!(1), &json!(2)));
    let walked = page.ask(json!({"do": "random", "place": 0, "steps": 5, "seed": 3}));
    assert_eq!(walked["places"].as_array().expect("places").len(), 5);
    for format in ["trace", "rust-test", "svg", "mermaid", "itf", "json", "session", "html"] {
        let exported = page.ask(json!({"do": "export", "format": format, "branch": 0}));
        let text = exported["text"].as_str().expect("text");
        assert!(text.len() > 500, "{format}: {text}");
        assert!(format != "html" || text.len() < 300_000, "{} bytes", text.len());
    }
    assert_eq!(
        page.refused(json!({"do": "export", "format": "erlang-test", "branch": 0}))["code"],
        "not-possible"
    );
}

#[test]
fn good_runs_are_shown_where_everything_holds() {
    let server = Server::start(at_start("ping", &["clients=2", "pings=2", "network=exactly-once"]));
    let mut page = server.page();
    let diverse = page.ask(json!({"do": "diverse", "place": 0, "runs": 3, "seed": 1}));
    let branches = diverse["branches"].as_array().expect("branches");
    assert!(!branches.is_empty() && branches.len() <= 3, "{diverse}");
}

#[test]
fn markup_in_messages_stays_text_in_the_story() {
    let server = Server::start(at_start("markup", &[]));
    let mut page = server.page();
    page.step(0, "img");
    let html = page.ask(json!({"do": "export", "format": "html", "branch": 0}));
    let text = html["text"].as_str().expect("a page");
    assert!(!text.contains("<img src=x") && !text.contains("</script><script>window"));
    let (_, data) = text.split_once("id=\"story\">").expect("the data");
    let data = data.split('<').next().expect("its end");
    let bytes = BASE64_STANDARD.decode(data).expect("packed data");
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).expect("compressed data");
    assert!(String::from_utf8_lossy(&bytes).contains("<img src=x"), "it is there, as data");
}
