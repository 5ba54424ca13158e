//! The exploration tree as a DOT graph: each explored interleaving is a way from the top to an end.
//! Why boxes of several events: a tree of runs is mostly long stretches without a choice; a box holds one stretch, and only
//! where runs part are there arrows. What a branch does instead of the run before it stands on its arrow; what raced in a run
//! stands at its end, by the numbers of the events. Errors are red, runs given up as repetitions are dashed.
//! Invariant: the text is a function of the tree; names in it are numbers, so nothing from outside needs to be a name.

use crate::Loaded;
use foresee_lts::{Action, Path, State, System};
use foresee_stateless::{Run, RunEnd};
use std::fmt::Write;

/// Of a longer stretch only the first and the last events are written.
const LINES_MAX: usize = 12;
const LINE_CHARS: usize = 64;
/// More races of one run are only counted.
const RACES_MAX: usize = 8;

/// The graph of the first runs of an exploration.
pub(crate) fn graph(loaded: &Loaded, tree: &[Run], n_runs: u64) -> String {
    let mut text = String::from(
        "// foresee graph\ndigraph exploration {\n  graph [rankdir=TB];\n  \
         node [shape=box, style=rounded, fontname=\"monospace\", fontsize=10, color=\"#57606a\"];\n  \
         edge [fontname=\"monospace\", fontsize=9, color=\"#57606a\"];\n",
    );
    let _ = writeln!(text, "  label={};\n  labelloc=t;", quoted(&[title(loaded, tree, n_runs)]));
    let mut walk = Walk { loaded, states: loaded.initial(), events: Vec::new(), next: 0 };
    walk.states.truncate(1);
    let ends = branching(tree);
    let mut boxes = Boxes::default();
    for run in tree {
        let instead = walk.events.get(run.shares).map(|event| event.label.clone());
        walk.take(run);
        boxes.open(run.shares);
        let mut from = run.shares;
        while from < walk.events.len() {
            let to = next_cut(&ends, run, from, walk.events.len());
            let lines = walk.lines(from, to);
            let is_first = from == run.shares;
            let why = instead.as_deref().filter(|_| is_first && run.shares > 0);
            text.push_str(&boxes.stretch(to, &lines, why, run.end));
            from = to;
        }
        text.push_str(&boxes.end(run, &walk.races(run)));
    }
    text + "}\n"
}

fn title(loaded: &Loaded, tree: &[Run], n_runs: u64) -> String {
    let shown = tree.len() as u64;
    if shown < n_runs {
        format!("{}: the first {shown} of {n_runs} interleavings", loaded.name())
    } else {
        let s = if shown == 1 { "" } else { "s" };
        format!("{}: {shown} interleaving{s}", loaded.name())
    }
}

/// For each run, the depths at which later runs branch off from it.
fn branching(tree: &[Run]) -> Vec<Vec<usize>> {
    let mut cuts: Vec<Vec<usize>> = vec![Vec::new(); tree.len()];
    for (i, run) in tree.iter().enumerate() {
        // The events shared with the run before stand where the latest run that made them stands.
        let owner = (0..i).rev().find(|earlier| tree[*earlier].shares < run.shares);
        if let Some(owner) = owner {
            cuts[owner].push(run.shares);
        }
    }
    cuts.iter_mut().for_each(|cuts| cuts.sort_unstable());
    cuts
}

/// Where the stretch that starts at `from` ends.
fn next_cut(cuts: &[Vec<usize>], run: &Run, from: usize, len: usize) -> usize {
    let own = &cuts[run.interleaving as usize - 1];
    own.iter().copied().find(|cut| *cut > from).unwrap_or(len).min(len)
}

/// One event on the way, and the state before it.
struct Event {
    label: String,
    action: Action,
}

/// Follows the runs of the tree one after the other.
struct Walk<'a> {
    loaded: &'a Loaded,
    states: Vec<State>,
    events: Vec<Event>,
    /// The initial state that the next run without a common start begins in.
    next: usize,
}

impl Walk<'_> {
    fn take(&mut self, run: &Run) {
        self.events.truncate(run.shares);
        self.states.truncate(run.shares + 1);
        if run.shares == 0 {
            let mut initial = self.loaded.initial();
            let at = self.next.min(initial.len() - 1);
            self.states = vec![initial.swap_remove(at)];
            self.next += 1;
        }
        for &action in &run.actions {
            let state = &self.states[self.states.len() - 1];
            let label = self.loaded.label(state, action);
            let who = label.to.as_deref().unwrap_or_default();
            let from = label.from.as_ref().map_or(String::new(), |from| format!("{from} -> "));
            let label = format!("{from}{who} {}", label.payload);
            let next = self.loaded.step(state, action);
            self.events.push(Event { label, action });
            self.states.push(next);
        }
    }

    fn lines(&self, from: usize, to: usize) -> Vec<String> {
        let line = |i: usize| format!("{}  {}", i + 1, shortened(&self.events[i].label));
        if to - from <= LINES_MAX {
            return (from..to).map(line).collect();
        }
        let (head, tail) = (LINES_MAX / 2, LINES_MAX / 2 - 1);
        let left_out = format!("… {} more", to - from - head - tail);
        let first = (from..from + head).map(line);
        first.chain([left_out]).chain((to - tail..to).map(line)).collect()
    }

    /// What raced in the run, by the numbers of the events.
    fn races(&self, run: &Run) -> String {
        if run.end == RunEnd::SleepSetBlocked {
            return String::new();
        }
        let actions = self.events.iter().map(|event| event.action).collect();
        let path = Path { initial: self.states[0].clone(), actions };
        let races = foresee_stateless::races(self.loaded, &path, true);
        let new = races.iter().filter(|(_, second)| *second >= run.shares);
        let shown: Vec<String> =
            new.clone().take(RACES_MAX).map(|(a, b)| format!("{}-{}", a + 1, b + 1)).collect();
        let more = new.count() - shown.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if shown.is_empty() { String::new() } else { format!("races {}{more}", shown.join(" ")) }
    }
}

/// The boxes of the current way, with the depth at which each ends.
#[derive(Default)]
struct Boxes {
    way: Vec<(usize, usize)>,
    n_boxes: usize,
}

impl Boxes {
    /// Goes back to where the next run leaves the way.
    fn open(&mut self, shares: usize) {
        while self.way.last().is_some_and(|(depth, _)| *depth > shares) {
            self.way.pop();
        }
    }

    fn stretch(
        &mut self,
        to: usize,
        lines: &[String],
        instead: Option<&str>,
        end: RunEnd,
    ) -> String {
        self.n_boxes += 1;
        let id = self.n_boxes;
        let mut text = format!("  b{id} [label={}];\n", left_aligned(lines));
        if let Some((_, from)) = self.way.last() {
            let label = instead.map(|it| format!("before {}", shortened(it)));
            text.push_str(&edge(&format!("b{from}"), &format!("b{id}"), label.as_deref(), end));
        }
        self.way.push((to, id));
        text
    }

    fn end(&mut self, run: &Run, races: &str) -> String {
        let number = run.interleaving;
        let (words, colour) = match run.end {
            RunEnd::Complete => ("ends well", "#1a7f37"),
            RunEnd::Erroneous => ("error", "#b42318"),
            RunEnd::SleepSetBlocked => ("given up: explored elsewhere", "#8c959f"),
            RunEnd::DepthLimit => ("cut at the depth limit", "#8a5a00"),
        };
        let fill =
            if run.end == RunEnd::Erroneous { ", style=filled, fillcolor=\"#fdecea\"" } else { "" };
        let mut lines = vec![format!("{number}: {words}")];
        lines.extend((!races.is_empty()).then(|| races.to_owned()));
        let label = quoted(&lines);
        let mut text = format!(
            "  e{number} [label={label}, shape=ellipse, color=\"{colour}\", fontcolor=\"{colour}\"{fill}];\n"
        );
        if let Some((_, from)) = self.way.last() {
            text.push_str(&edge(&format!("b{from}"), &format!("e{number}"), None, run.end));
        }
        text
    }
}

fn edge(from: &str, to: &str, label: Option<&str>, end: RunEnd) -> String {
    let mut attributes = Vec::new();
    if let Some(label) = label {
        attributes.push(format!("label={}", quoted(&[label.to_owned()])));
    }
    match end {
        RunEnd::Erroneous => attributes.push("color=\"#b42318\"".to_owned()),
        RunEnd::SleepSetBlocked => attributes.push("style=dashed".to_owned()),
        _ => {}
    }
    match attributes.is_empty() {
        true => format!("  {from} -> {to};\n"),
        false => format!("  {from} -> {to} [{}];\n", attributes.join(", ")),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LINE_CHARS {
        return text.to_owned();
    }
    text.chars().take(LINE_CHARS - 1).chain(['…']).collect()
}

/// A string of DOT; lines are centred.
fn quoted(lines: &[String]) -> String {
    format!("\"{}\"", lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("\\n"))
}

/// The same, lines to the left.
fn left_aligned(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| escaped(line) + "\\l").collect();
    format!("\"{lines}\"")
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
