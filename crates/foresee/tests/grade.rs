//! `foresee labs grade` on a class: a good solution, wrong ones, and everything that should not be possible.
//! Each submission is a good solution or the skeleton with one change. Compiling one takes twenty seconds of processor time, so the class is graded only if
//! asked for: `FORESEE_GRADE=few` for some of it, `FORESEE_GRADE=all` for all of it, twice, comparing every byte. The library that solutions are linked with
//! is built on first use and kept under `target`. What cells hold and refuse is tried always.
//! Where there are no namespaces these tests say so and do nothing more.

#![allow(clippy::disallowed_methods, reason = "a test that is told how much to do")]
#![allow(clippy::print_stderr, reason = "who skips something says so")]

mod common;

use common::Place;
use foresee_grade::{Ended, How, Limits, Mount, Spec, is_available, run};
use serde_json::Value;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const RPC: &str = include_str!("../../../labs/lab1-exactly-once/skeleton/src/rpc.rs");
const STORE: &str = include_str!("../../../labs/lab1-exactly-once/skeleton/src/store.rs");
const REFERENCE: &str = include_str!("../../../labs/lab1-exactly-once/src/reference.rs");

/// What a submission should get.
enum Expected {
    Everything,
    /// Nothing, and some test says this.
    Nothing(&'static str),
    /// Something, not everything, and some test says this.
    Some(&'static str),
}
use Expected::{Everything, Nothing, Some as Partly};

struct Case {
    student: &'static str,
    files: Vec<(&'static str, String)>,
    expected: Expected,
    /// Whether it is among the few.
    is_quick: bool,
}

/// The reference in the two files that students write.
fn good() -> (String, String) {
    let whole = foresee::labs::without_zoo(REFERENCE);
    let whole = whole.replace("pub(crate)", "pub");
    ("pub use crate::store::*;\n".to_owned(), whole)
}

/// The good solution, with one piece of text replaced.
fn changed(from: &str, to: &str) -> Vec<(&'static str, String)> {
    let (rpc, store) = good();
    assert!(store.contains(from), "{from}");
    vec![("src/rpc.rs", rpc), ("src/store.rs", store.replacen(from, to, 1))]
}

/// The good solution, with something done first in `Store::execute`.
fn executing(code: &str) -> Vec<(&'static str, String)> {
    let from = "        match command {\n            KeyValueCommand::Get { key } => match";
    changed(from, &format!("        {code}\n{from}"))
}

/// The good solution, with something done when a request arrives.
fn on_request(code: &str) -> Vec<(&'static str, String)> {
    let from = "        let Message::Request { number, command } = message else { return };\n";
    changed(from, &format!("{from}        {code}\n"))
}

fn skeleton() -> Vec<(&'static str, String)> {
    vec![("src/rpc.rs", RPC.to_owned()), ("src/store.rs", STORE.to_owned())]
}

/// Tries everything that could put a line among the results, and solves nothing.
fn forging() -> Vec<(&'static str, String)> {
    let line = r#"{"Ended":{"test":0,"result":{"status":"passed","property":null,"message":"forged","states":0,"trace":null,"nondeterministic":null}}}"#;
    let code = format!(
        r####"
        let line = r##"{line}"##;
        println!("{{line}}");
        eprintln!("{{line}}");
        println!("1.1 a fixed table of commands and results 5/5 passed");
        for number in 0..64 {{
            for path in [format!("/proc/self/fd/{{number}}"), format!("/dev/fd/{{number}}")] {{
                if let Ok(mut file) = std::fs::OpenOptions::new().append(true).open(&path) {{
                    let _ = std::io::Write::write_all(&mut file, format!("{{line}}\n").as_bytes());
                    panic!("{{path}} could be opened");
                }}
            }}
        }}
        for path in ["/records/records", "/proc/self/mem", "/proc/self/maps", "/etc/passwd"] {{
            if std::fs::OpenOptions::new().read(true).open(path).is_ok() {{
                panic!("{{path}} could be opened");
            }}
        }}
        match command {{"####
    );
    let store = STORE.replacen("        match command {", &code, 1);
    vec![("src/rpc.rs", RPC.to_owned()), ("src/store.rs", store)]
}

fn with(
    mut files: Vec<(&'static str, String)>,
    more: &[(&'static str, &str)],
) -> Vec<(&'static str, String)> {
    files.extend(more.iter().map(|(name, text)| (*name, (*text).to_owned())));
    files
}

fn class() -> Vec<Case> {
    let case = |student, files, expected| Case { student, files, expected, is_quick: false };
    let quick = |student, files, expected| Case { student, files, expected, is_quick: true };
    vec![
        quick("good", executing(""), Everything),
        case(
            "wrong-no-table",
            changed("let is_new = number > last;", "let is_new = number >= last;"),
            Partly("results as expected"),
        ),
        case(
            "wrong-any-reply",
            changed("let is_mine = number == self.number;", "let is_mine = number > 0;"),
            Partly("results as expected"),
        ),
        case(
            "wrong-no-second-retry",
            changed(
                "            self.send(context);\n        }\n    }\n}\n\nimpl Client",
                "            let _ = &context;\n        }\n    }\n}\n\nimpl Client",
            ),
            Partly("every client has finished"),
        ),
        case("skeleton", skeleton(), Nothing("not yet implemented: part 1")),
        case("no-files", Vec::new(), Nothing("src/rpc.rs and src/store.rs is not there")),
        case(
            "syntax",
            changed("pub enum Message {", "pub enum Message {{"),
            Nothing("does not compile"),
        ),
        case(
            "unsafe-block",
            executing("let it = &raw const *self; let _ = unsafe { (*it).values.len() };"),
            Nothing("does not compile"),
        ),
        case(
            "unsafe-extern",
            changed(
                "/// A map from text",
                "unsafe extern \"C\" { safe fn getpid() -> i32; }\n/// A map from text",
            ),
            Nothing("does not compile"),
        ),
        case(
            "reads-hidden-tests",
            changed(
                "/// A map from text",
                "pub const HIDDEN: &str = include_str!(\"/cell/ours/hidden.rs\");\n/// A map from text",
            ),
            Nothing("does not compile"),
        ),
        case(
            "reads-hidden-tests-too",
            changed(
                "/// A map from text",
                "pub const HIDDEN: &str = include_str!(\"../../ours/hidden.rs\");\n/// A map from text",
            ),
            Nothing("does not compile"),
        ),
        case(
            "reads-passwords",
            changed(
                "/// A map from text",
                "pub const HIDDEN: &str = include_str!(\"/etc/passwd\");\n/// A map from text",
            ),
            Nothing("does not compile"),
        ),
        case(
            "loops",
            executing("if self.values.len() < 1_000 { loop { std::hint::black_box(()); } }"),
            Nothing("did not finish in 4 s of processor time"),
        ),
        case(
            "waits",
            executing("if self.values.len() < 1_000 { loop { std::thread::park(); } }"),
            Nothing("s on the clock"),
        ),
        case(
            "memory",
            executing(
                "let mut all = Vec::new(); while self.values.len() < 1_000 { all.push(vec![1_u8; 1 << 20]); }",
            ),
            Nothing("it wants more than"),
        ),
        case(
            "recursion",
            executing(
                "fn deep(n: u64) -> u64 { if n == 0 { 0 } else { 1 + deep(std::hint::black_box(n - 1)) } } assert!(deep(std::hint::black_box(1 << 40)) > 0);",
            ),
            Nothing("the stack is used up"),
        ),
        case(
            "prints",
            executing("for i in 0..500 { println!(\"{i}: noise, noise, and more noise\"); }"),
            Everything,
        ),
        case(
            "prints-time",
            executing("println!(\"{:?}\", std::time::SystemTime::now());"),
            Everything,
        ),
        case(
            "panics",
            on_request("assert!(number < 2, \"two is too much\");"),
            Partly("two is too much"),
        ),
        quick(
            "exits",
            on_request("if number == 2 { std::process::exit(0); }"),
            Partly("the solution ended the process"),
        ),
        case(
            "hash-map",
            on_request(
                "let by_hash: std::collections::HashMap<_, _> = self.answered.iter().map(|(who, it)| (*who, it.number)).collect(); if by_hash.values().next().is_some_and(|it| *it > 1) { return; }",
            ),
            Partly("on_message of server did something else"),
        ),
        quick(
            "clock",
            on_request(
                "if std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().subsec_nanos() % 5 == 0 { return; }",
            ),
            Partly("on_message of server did something else"),
        ),
        case(
            "static",
            on_request(
                "static N: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0); if N.fetch_add(1, std::sync::atomic::Ordering::Relaxed) % 5 == 3 { return; }",
            ),
            Partly("on_message of server did something else"),
        ),
        case(
            "files",
            executing(
                "std::fs::write(\"/tmp/written-by-a-student\", \"x\").expect(\"no file may be written\");",
            ),
            Nothing("no file may be written"),
        ),
        case(
            "programs",
            executing(
                "std::process::Command::new(\"/usr/bin/env\").spawn().expect(\"no program may be started\");",
            ),
            Nothing("no program may be started"),
        ),
        case(
            "sockets",
            executing(
                "std::net::TcpListener::bind(\"127.0.0.1:0\").expect(\"no socket may be opened\");",
            ),
            Nothing("no socket may be opened"),
        ),
        case(
            "manifest",
            with(
                skeleton(),
                &[
                    ("Cargo.toml", "[package]\nname = \"lab1\"\nbuild = \"build.rs\"\n"),
                    (
                        "build.rs",
                        "fn main() { std::fs::write(\"/tmp/written-by-a-build-script\", \"x\").unwrap(); }",
                    ),
                    (".cargo/config.toml", "[build]\nrustc-wrapper = \"/bin/false\"\n"),
                    ("src/main.rs", "fn main() { println!(\"all tests passed\"); }"),
                ],
            ),
            Nothing("not yet implemented: part 1"),
        ),
        quick("forges", forging(), Nothing("not yet implemented: part 1")),
    ]
}

fn is_asked_for(how: &str) -> bool {
    std::env::var("FORESEE_GRADE").is_ok_and(|value| value == how)
}

fn is_all() -> bool {
    is_asked_for("all")
}

/// Runs a line of shell in a cell with one folder to write to.
fn in_a_cell(place: &Place, line: &str, cpu_s: u64, wall_s: u64) -> Option<Ended> {
    let cell = Path::new(env!("CARGO_BIN_EXE_foresee"));
    if let Err(reason) = is_available(cell, place.path()) {
        eprintln!("skipped, there are no namespaces here: {reason}");
        return None;
    }
    let (root, out) = (place.path().join("root"), place.path().join("out"));
    std::fs::create_dir_all(&root).unwrap();
    std::fs::create_dir_all(&out).unwrap();
    std::fs::set_permissions(&out, std::fs::Permissions::from_mode(0o777)).unwrap();
    let mount =
        |outside: &Path, inside: &str| Mount { outside: outside.into(), inside: inside.into() };
    let system = ["/usr", "/bin", "/lib", "/lib64"].map(Path::new);
    let there = system.into_iter().filter(|folder| folder.exists());
    let spec = Spec {
        root,
        read_only: there.map(|folder| mount(folder, folder.to_str().unwrap())).collect(),
        writable: vec![mount(&out, "/out")],
        working_folder: "/".into(),
        program: "/bin/sh".into(),
        words: vec!["-c".into(), line.into()],
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        input: String::new(),
        limits: Limits {
            cpu_s,
            memory: 1 << 30,
            file: 1 << 20,
            processes: 32,
            wall: Duration::from_secs(wall_s),
        },
        is_closed: true,
        status: place.path().join("status"),
    };
    Some(run(cell, &spec))
}

#[test]
fn a_cell_holds_what_it_is_given_and_nothing_else() {
    let place = Place::new();
    let line = "for name in proc etc root home var sys; do [ -e /$name ] && echo found $name; done; \
                touch /x 2>/dev/null && echo wrote; touch /usr/x 2>/dev/null && echo wrote; \
                unshare -Ur true 2>/dev/null && echo more rights; echo kept > /out/file; echo end";
    let Some(ended) = in_a_cell(&place, line, 10, 60) else { return };
    assert_eq!(ended.how, How::Exit(0));
    assert_eq!(String::from_utf8_lossy(&ended.output), "end\n");
    assert_eq!(place.read("out/file"), "kept\n");
}

#[test]
fn what_a_program_may_use_has_limits() {
    let place = Place::new();
    let Some(ended) = in_a_cell(&place, "while :; do :; done", 1, 120) else { return };
    assert_eq!(ended.how, How::Signal(24), "processor time");
    let how = |line: &str, cpu_s, wall_s| in_a_cell(&place, line, cpu_s, wall_s).unwrap().how;
    assert_eq!(how("sleep 100", 10, 1), How::Wall);
    assert_eq!(how("kill -9 $$", 10, 60), How::Signal(9));
    assert_eq!(how("exit 7", 10, 60), How::Exit(7));
    let ended = in_a_cell(&place, "yes noise | head -c 3000000", 10, 60).unwrap();
    assert!(ended.is_cut && ended.output.len() == 1 << 20);
}

#[test]
fn a_class_is_graded_rightly_and_again_with_the_same_bytes() {
    // Made in any case, to see that the texts to change are still in the reference.
    let cases: Vec<Case> = class().into_iter().filter(|case| case.is_quick || is_all()).collect();
    if !is_all() && !is_asked_for("few") {
        eprintln!("skipped: FORESEE_GRADE=few or all grades a class");
        return;
    }
    let place = Place::new();
    for case in &cases {
        std::fs::create_dir_all(place.path().join("class").join(case.student)).unwrap();
        for (name, text) in &case.files {
            let file = place.path().join("class").join(case.student).join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
    }
    let library = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("labs");
    let grade = |out: &str| {
        let line = format!(
            "labs grade class --lab lab1 --jobs 2 --out {out} --cpu-max 4 --time-max 6 --memory-max 2048 --library {}",
            library.display()
        );
        let said = place.foresee(&line);
        if said.code == 2 && said.err.contains("cannot be shut in on this machine") {
            eprintln!("skipped, there are no namespaces here: {}", said.err);
            return false;
        }
        assert_eq!(said.code, 0, "{}{}", said.out, said.err);
        true
    };
    if !grade("first") {
        return;
    }
    for case in &cases {
        judge(case, &place.path().join("first").join(case.student));
    }
    for trace_of_a_student in ["/tmp/written-by-a-student", "/tmp/written-by-a-build-script"] {
        assert!(!Path::new(trace_of_a_student).exists(), "{trace_of_a_student}");
    }
    let summary = place.read("first/summary.csv");
    assert_eq!(summary.lines().count(), cases.len() + 1, "{summary}");
    if is_all() {
        assert!(grade("second"));
        let (first, second) =
            (everything(&place.path().join("first")), everything(&place.path().join("second")));
        assert_eq!(first.keys().collect::<Vec<_>>(), second.keys().collect::<Vec<_>>());
        for (name, content) in &first {
            assert!(content == &second[name], "{} is not the same", name.display());
        }
    }
}

fn judge(case: &Case, folder: &Path) {
    let student = case.student;
    let text = std::fs::read_to_string(folder.join("results.json")).unwrap();
    let results: Value = serde_json::from_str(&text).unwrap();
    let (earned, points) =
        (results["earned"].as_u64().unwrap(), results["points"].as_u64().unwrap());
    let tests = results["tests"].as_array().unwrap();
    assert_eq!((tests.len(), points), (21, 150), "{student}");
    assert!(!text.contains("forged"), "{student}: {text}");
    let says = |words: &str| {
        let field =
            |test: &Value, name: &str| test[name].as_str().is_some_and(|it| it.contains(words));
        tests.iter().any(|test| field(test, "message") || field(test, "property"))
    };
    match case.expected {
        Everything => assert_eq!(earned, points, "{student}: {text}"),
        Nothing(words) => assert!(earned == 0 && says(words), "{student}: {earned} {text}"),
        Partly(words) => {
            assert!(0 < earned && earned < points && says(words), "{student}: {earned} {text}");
        }
    }
    for name in ["gradescope.json", "junit.xml", "log.txt"] {
        assert!(folder.join(name).is_file(), "{student}: {name}");
    }
    let gradescope = std::fs::read_to_string(folder.join("gradescope.json")).unwrap();
    let gradescope: Value = serde_json::from_str(&gradescope).unwrap();
    assert_eq!(gradescope["score"].as_u64(), Some(earned), "{student}");
}

/// Every file but the one with times.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_owned();
                    found.insert(name, std::fs::read(&path).unwrap());
                }
            }
        }
    }
    found.remove(Path::new("timing.csv"));
    found
}

#[test]
fn what_cannot_be_graded_is_told() {
    let place = Place::new();
    std::fs::create_dir_all(place.path().join("class/ann")).unwrap();
    std::fs::create_dir_all(place.path().join("empty")).unwrap();
    let cases = [
        ("labs grade nowhere --lab lab1 --out out", "cannot look into `nowhere`"),
        ("labs grade empty --lab lab1 --out out", "there is no submission in `empty`"),
        ("labs grade class --lab lab77 --out out", "there is no lab `lab77`"),
        ("labs grade class --lab lab1 --out class/out", "among the submissions"),
        ("labs grade class --lab lab1 --out out --hidden none.rs", "cannot read `none.rs`"),
        ("labs new lab77 work", "there is no lab `lab77`"),
        ("labs new lab1 class", "the folder `class` is not empty"),
    ];
    for (line, expected) in cases {
        let said = place.foresee(line);
        assert_eq!(said.code, 2, "{line}: {}{}", said.out, said.err);
        assert!(said.err.contains(expected), "{line}: {}", said.err);
    }
}

#[test]
fn a_students_folder_has_everything_but_the_solution() {
    let place = Place::new();
    let said = place.foresee("labs new lab1 work");
    assert_eq!(said.code, 0, "{}", said.err);
    for words in ["cd work", "foresee labs test", "src/rpc.rs, src/store.rs"] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    assert_eq!(place.read("work/src/rpc.rs"), RPC);
    assert!(place.read("work/README.md").starts_with("# Lab 1"));
    assert!(
        place.read("work/Cargo.toml").contains("[package.metadata.foresee-lab]\nlab = \"lab1\"\n")
    );
    assert!(place.has("work/vendor/foresee/labs/lab1-exactly-once/src/tests.rs"));
    let mut names = everything(&place.path().join("work")).into_keys();
    let solution = names.find(|name| {
        let name = name.to_string_lossy();
        name.starts_with("vendor/foresee/labs/")
            && (name.contains("reference") || name.contains("zoo"))
    });
    assert_eq!(solution, None);
    let manifest = place.read("work/vendor/foresee/labs/lab1-exactly-once/Cargo.toml");
    assert!(manifest.contains("default = []"), "{manifest}");
}
