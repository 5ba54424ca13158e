//! Diagrams: arrows start where a message was sent, texts do not overlap, and the file is well formed.

use crate::locks::Locks;
use crate::replay::{TWO_HOLDERS, one_holder};
use crate::script::Script;
use foresee_lts::{Action, Description, Label, Path, System, Telling, Verb, toy::Counters};
use foresee_trace::{Finding, Run, SpaceTime, Trace, to_svg};

const LONG: &str = "AppendEntries { term: 3, leader: server1, entries: [Put(\"x\", 1), Put(\"y\", 2)], commit: 17 }";

/// Everything that can happen once.
fn everything() -> Script {
    let message = Label::message;
    let deliver = Label::deliver;
    let actor = Label::of_actor;
    let network = Label::of_network;
    Script {
        members: vec!["client", "server1", "server2", "server3"],
        sent_at_start: vec![("client", "server1", "Put(\"x\", 1)")],
        steps: vec![
            (
                deliver("client", "server1", "Put(\"x\", 1)"),
                vec![
                    ("server1", "server2", LONG),
                    ("server1", "server3", LONG),
                    ("server1", "server1", "Tick"),
                ],
            ),
            (message(Verb::Duplicate, "server1", "server2", LONG), vec![]),
            (deliver("server1", "server2", LONG), vec![("server2", "server1", "Ack")]),
            (network(Verb::Partition, "{client server1} {server2 server3}"), vec![]),
            (message(Verb::Drop, "server1", "server3", LONG), vec![]),
            (deliver("server1", "server1", "Tick"), vec![("server1", "client", "Busy")]),
            (actor(Verb::Crash, "server2", ""), vec![]),
            (network(Verb::Heal, ""), vec![]),
            (actor(Verb::Timer, "client", "Retry"), vec![("client", "server1", "Put(\"x\", 1)")]),
            (message(Verb::Drop, "server2", "server1", "Ack"), vec![]),
            (actor(Verb::Restart, "server2", ""), vec![]),
            (deliver("server1", "server2", LONG), vec![("server2", "server1", "Ack")]),
            (deliver("client", "server1", "Put(\"x\", 1)"), vec![]),
            (actor(Verb::Step, "server1", "write <snapshot> & \"sync\""), vec![]),
            (deliver("server2", "server1", "Ack"), vec![]),
        ],
    }
}

fn violation() -> Finding {
    let message = "server1 has x = 1 and server3 has nothing, although the client was told that both have it; \
                   this is a long explanation, so that it has to be broken over lines somewhere in the middle of it\n\
                   server1  |put|\n\
                   server3       |get|";
    Finding { message: message.into(), ..one_holder() }
}

fn drawings() -> Vec<(&'static str, String)> {
    let script = everything();
    let locks = Locks::noisy(3);
    let noisy = (0..100)
        .filter_map(|seed| locks.random_run(seed, 30))
        .max_by_key(|run| run.actions.len())
        .unwrap();
    let short = locks.path(&TWO_HOLDERS);
    let counters = Counters::new(2, 3);
    let steps = Path { initial: vec![0, 0], actions: vec![Action(0), Action(1)] };
    let nothing = Path { initial: vec![0, 0], actions: vec![] };
    let draw = |system: &dyn System, path: &Path, finding: Option<Finding>| {
        let trace = Trace { violation: finding, ..Trace::record(system, path) };
        to_svg(&Run::of(system, path), &trace)
    };
    vec![
        ("everything", draw(&script, &script.path(), Some(violation()))),
        ("noisy", draw(&locks, &noisy, Some(one_holder()))),
        ("short", draw(&locks, &short, Some(one_holder()))),
        ("counters", draw(&counters, &steps, None)),
        (
            "long name",
            draw(&counters, &steps, Some(Finding { property: Some(LONG.into()), ..one_holder() })),
        ),
        ("nothing", draw(&counters, &nothing, None)),
    ]
}

#[test]
fn arrows_start_where_messages_were_sent() {
    let script = everything();
    let diagram = SpaceTime::of(&script, &script.path());
    let sent_at: Vec<_> = diagram.marks.iter().map(|mark| mark.sent_at).collect();
    let expected = [
        Some(0),
        Some(1),
        Some(1),
        None,
        Some(1),
        Some(1),
        None,
        None,
        None,
        Some(3),
        None,
        Some(2),
        Some(9),
        None,
        Some(12),
    ];
    assert_eq!(sent_at, expected);
    let left: Vec<_> = diagram.marks.iter().flat_map(|mark| &mark.left_in_flight).collect();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].payload, "Busy".into());
}

/// Footprints tell where a message comes from when descriptions do not.
#[test]
fn sends_are_found_by_footprints_too() {
    struct Mute(Locks);
    impl foresee_lts::Around for Mute {
        fn inner(&self) -> &dyn System {
            &self.0
        }
        fn telling(&self) -> Option<&dyn Telling> {
            Some(self)
        }
    }

    impl foresee_lts::TellingAround for Mute {
        fn describe(&self, _: &[u32]) -> Description {
            Description::default()
        }
        fn outline(&self, _: &[u32]) -> Description {
            Description::default()
        }
    }
    let mute = Mute(Locks::new(2));
    let path = mute.0.path(&TWO_HOLDERS);
    let sent_at = |system: &dyn System| -> Vec<_> {
        SpaceTime::of(system, &path).marks.iter().map(|mark| mark.sent_at).collect()
    };
    assert_eq!(sent_at(&mute.0), [None, None, Some(1), Some(2), Some(3), Some(4)]);
    assert_eq!(sent_at(&mute), sent_at(&mute.0));
}

/// The box around a text, from the attributes in the file.
#[derive(Debug)]
struct Text {
    left: i32,
    right: i32,
    top: i32,
    bottom: i32,
    text: String,
}

fn attribute<'a>(element: &'a str, name: &str) -> &'a str {
    let start = element.find(&format!(" {name}=\"")).map(|i| i + name.len() + 3);
    let rest = &element[start.unwrap_or_else(|| panic!("{name} in {element}"))..];
    &rest[..rest.find('"').unwrap()]
}

fn texts(svg: &str) -> Vec<Text> {
    let elements = svg.lines().filter(|line| line.starts_with("<text "));
    let text_of = |line: &str| {
        let text = line[line.find('>').unwrap() + 1..line.rfind("</text>").unwrap()].to_owned();
        let text = text
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&amp;", "&");
        let number = |name: &str| attribute(line, name).parse::<i32>().unwrap();
        let (x, y) = (number("x"), number("y"));
        let width = (text.chars().count() as f64 * 7.23) as i32;
        let left = match attribute(line, "text-anchor") {
            "start" => x,
            "middle" => x - width / 2,
            _ => x - width,
        };
        Text { left, right: left + width, top: y - 10, bottom: y + 3, text }
    };
    elements.map(text_of).collect()
}

#[test]
fn no_two_texts_overlap_and_all_are_inside() {
    for (name, svg) in drawings() {
        let width: i32 = attribute(&svg, "width").parse().unwrap();
        let height: i32 = attribute(&svg, "height").parse().unwrap();
        let texts = texts(&svg);
        assert!(texts.len() >= 2, "{name}");
        for (i, a) in texts.iter().enumerate() {
            assert!(
                a.left >= 0 && a.right <= width && a.top >= 0 && a.bottom <= height,
                "{name}: {a:?}"
            );
            for b in &texts[i + 1..] {
                let apart =
                    a.right < b.left || b.right < a.left || a.bottom < b.top || b.bottom < a.top;
                assert!(apart, "{name}: {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn the_file_is_well_formed_and_accessible() {
    for (name, svg) in drawings() {
        let mut open: Vec<&str> = Vec::new();
        for piece in svg.split('<').skip(1) {
            let (tag, text) = piece
                .split_once('>')
                .unwrap_or_else(|| panic!("{name}: a tag is not closed: {piece}"));
            assert!(
                !text
                    .replace("&amp;", "")
                    .replace("&lt;", "")
                    .replace("&gt;", "")
                    .replace("&quot;", "")
                    .contains('&')
            );
            match tag.strip_prefix('/') {
                Some(closing) => assert_eq!(open.pop(), Some(closing), "{name}"),
                None if tag.ends_with('/') => {}
                None => open.push(tag.split(' ').next().unwrap()),
            }
        }
        assert!(open.is_empty(), "{name}");
        assert!(
            svg.contains("role=\"img\"") && svg.contains("<title id=") && svg.contains("<desc id=")
        );
    }
    assert_eq!(drawings(), drawings());
}

#[test]
fn every_event_and_the_violation_are_told() {
    let (_, svg) = drawings().remove(0);
    for i in 1..=15 {
        assert!(svg.contains(&format!("<title>Step {i}: ")), "step {i}");
    }
    assert!(svg.contains("violated: invariant one holder"));
    assert!(svg.contains("write &lt;snapshot&gt; &amp; &quot;sync&quot;"));
    // Spaces that align lines stay.
    assert!(svg.contains(">server3       |get|<") && svg.contains("xml:space=\"preserve\""));
    // A label that had to be shortened stands whole in the column at the side.
    let side: Vec<_> = texts(&svg).into_iter().map(|text| text.text).collect();
    assert!(side.join(" ").contains(LONG), "{side:#?}");
    assert!(texts(&svg).iter().any(|text| text.text == "Busy to client stays in flight"));
}

#[test]
fn a_run_that_stops_early_shows_no_violation() {
    let script = everything();
    let trace = Trace::record(&script, &script.path()).with_violation(violation());
    let mut path = script.path();
    path.actions.truncate(4);
    let svg = to_svg(&Run::of(&script, &path), &trace);
    assert!(svg.contains("step 5 no longer applies: drop server1"), "{svg}");
    assert!(!svg.contains("violated"));
}

/// They are in the target folder after the tests, and every element is closed.
#[test]
fn drawings_are_whole_and_can_be_looked_at() {
    for (name, svg) in drawings() {
        let opened = svg.matches("<svg").count() + svg.matches("<g").count();
        let closed = svg.matches("</svg>").count() + svg.matches("</g>").count();
        assert!(opened == closed && svg.trim_end().ends_with("</svg>"), "{name}: {svg}");
        std::fs::write(format!("{}/{name}.svg", env!("CARGO_TARGET_TMPDIR")), svg).unwrap();
    }
}
