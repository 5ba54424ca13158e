//! The counterexamples of the CORFU chapter, drawn: one row for each request that a log server serves, in the order of the run.
//! Why not the whole space–time diagram: a run of a hundred events is a proof, not a story. What a reader of the chapter must see
//! is who wrote what where in which epoch, and what was read; so starting, waiting and looking up the layout are left out, and
//! servers are called by their places in the chain. Nothing is invented: every row is an event of a trace that replays.
//! Not here: the traces (`examples/corfu/*.trace`, found by `foresee check`).

use std::fmt::Write as _;

/// One picture: the trace it is drawn from, and who is who in it.
pub(crate) struct Story {
    pub(crate) trace: &'static str,
    pub(crate) picture: &'static str,
    title: &'static str,
    /// From left to right: processes and what they are called.
    lanes: [(&'static str, &'static str); 8],
}

pub(crate) const STORIES: [Story; 2] = [
    Story {
        trace: "examples/corfu/tail.trace",
        picture: "docs/guide/corfu-tail.svg",
        title: "Method 1: a value is read, and then it is not there",
        lanes: [
            ("<P.4>", "writes one"),
            ("<P.5>", "writes two"),
            ("<P.6>", "reader"),
            ("<P.7>", "repairer"),
            ("<P.1>", "head"),
            ("<P.2>", "old tail"),
            ("<P.3>", "new tail"),
            ("<P>", ""),
        ],
    },
    Story {
        trace: "examples/corfu/head.trace",
        picture: "docs/guide/corfu-head.svg",
        title: "Method 2: two values stand on the chain",
        lanes: [
            ("<P.4>", "writes one"),
            ("<P.5>", "writes two"),
            ("<P.6>", "reader"),
            ("<P.7>", "repairer"),
            ("<P.3>", "new head"),
            ("<P.1>", "old head"),
            ("<P.2>", "tail"),
            ("<P>", "coordinator"),
        ],
    },
];

/// A request that a server has taken, and what it answered.
#[derive(Debug, Eq, PartialEq)]
struct Served<'a> {
    step: &'a str,
    client: &'a str,
    server: &'a str,
    request: &'a str,
    reply: &'a str,
}

/// The requests of a trace in the order in which they were served. A server answers when it takes a request.
fn served(trace: &str) -> Vec<Served<'_>> {
    let events: Vec<(&str, &str, &str)> = trace
        .lines()
        .filter_map(|line| {
            let (step, event) = line.split_once("  step ")?;
            let (process, what) = event.split_once(' ')?;
            Some((step, process, what.split(" [").next().unwrap_or(what)))
        })
        .collect();
    let mut rows = Vec::new();
    for (at, &(step, server, what)) in events.iter().enumerate() {
        let Some((request, client)) =
            what.strip_prefix("receive call ").and_then(|it| it.split_once(" from "))
        else {
            continue;
        };
        let answers = events[at..].iter().filter(|it| it.1 == client);
        let reply = answers.filter_map(|it| it.2.strip_prefix("receive reply ")).next();
        rows.push(Served { step, client, server, request, reply: reply.unwrap_or("…") });
    }
    rows
}

const LANE: u32 = 128;
const ROW: u32 = 30;
const TOP: u32 = 96;
const LEFT: u32 = 76;

const INK: &str = "#1b1f24";
const SOFT: &str = "#6b7480";
const LINE: &str = "#c4cbd3";
const ONE: &str = "#0b57b7";
const TWO: &str = "#8a3ffc";
const BAD: &str = "#b42318";
const GOOD: &str = "#1a7f37";

/// Draws a trace as SVG.
pub(crate) fn draw(story: &Story, trace: &str) -> String {
    let rows = served(trace);
    let lanes: Vec<(&str, &str)> =
        story.lanes.iter().copied().filter(|it| !it.1.is_empty()).collect();
    let at = |process: &str| {
        let lane = lanes.iter().position(|it| it.0 == process)?;
        Some(LEFT + LANE / 2 + lane as u32 * LANE)
    };
    let shown: Vec<(&Served<'_>, u32, u32)> =
        rows.iter().filter_map(|row| Some((row, at(row.client)?, at(row.server)?))).collect();
    let width = LEFT + lanes.len() as u32 * LANE + 24;
    let bottom = TOP + shown.len() as u32 * ROW;
    let height = bottom + 84;
    let mut svg = String::new();
    let text = |svg: &mut String,
                x: u32,
                y: u32,
                anchor: &str,
                colour: &str,
                bold: bool,
                words: &str| {
        let weight = if bold { " font-weight=\"700\"" } else { "" };
        let _ = writeln!(
            svg,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" fill=\"{colour}\"{weight}>{}</text>",
            escaped(words)
        );
    };
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"{}\" font-family=\"'DejaVu Sans', Verdana, sans-serif\" font-size=\"12\">",
        escaped(story.title)
    );
    let _ = writeln!(
        svg,
        "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\">\
         <path d=\"M0 0 L8 4 L0 8 z\" fill=\"context-stroke\"/></marker></defs>"
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>");
    let _ = writeln!(
        svg,
        "<text x=\"24\" y=\"32\" font-size=\"17\" font-weight=\"700\" fill=\"{INK}\">{}</text>",
        escaped(story.title)
    );
    for (number, (_, name)) in lanes.iter().enumerate() {
        let x = LEFT + LANE / 2 + number as u32 * LANE;
        let is_server = (4..7).contains(&number);
        if is_server {
            let (x, y, h) = (x - LANE / 2 + 4, TOP - 40, bottom - TOP + 50);
            let w = LANE - 8;
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#f3f6fa\"/>"
            );
        }
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"{LINE}\" stroke-width=\"1.5\"/>",
            TOP - 12
        );
        text(&mut svg, x, TOP - 22, "middle", INK, true, name);
    }
    for (number, (row, from, to)) in shown.iter().enumerate() {
        let y = TOP + 12 + number as u32 * ROW;
        text(&mut svg, LEFT - 34, y + 4, "end", SOFT, false, row.step);
        let earlier = shown[..number].iter().filter(|it| it.0.client == row.client);
        let has_seen = earlier.into_iter().any(|it| it.0.reply.starts_with("{ok,"));
        draw_row(&mut svg, row, has_seen, (*from, *to), y);
    }
    let message = trace.lines().find_map(|line| line.strip_prefix("message: ")).unwrap_or_default();
    let message = message.split_once("abnormally: ").map_or(message, |it| it.1);
    text(&mut svg, 24, bottom + 38, "start", BAD, true, message);
    let note = "One row for each request that a log server serves, by its step in the trace; the answer stands behind the arrow. \
                Grey: refused.";
    text(&mut svg, 24, bottom + 62, "start", SOFT, false, note);
    svg.push_str("</svg>\n");
    svg
}

/// An arrow from a client to a server with what is asked; beside the server what it answers.
fn draw_row(svg: &mut String, row: &Served<'_>, has_seen: bool, (from, to): (u32, u32), y: u32) {
    let (label, answer, colour) = words(row, has_seen);
    let is_rightward = to > from;
    let width = 8 * answer.chars().count() as u32 + 10;
    let half = width / 2 + 1;
    let (start, end) = if is_rightward { (from + 4, to - half) } else { (from - 4, to + half) };
    let dash = if colour == SOFT { " stroke-dasharray=\"4 3\"" } else { "" };
    let _ = writeln!(svg, "<circle cx=\"{from}\" cy=\"{y}\" r=\"3\" fill=\"{colour}\"/>");
    let _ = writeln!(
        svg,
        "<line x1=\"{start}\" y1=\"{y}\" x2=\"{end}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"1.6\"{dash} marker-end=\"url(#tip)\"/>"
    );
    let (x, anchor) = if is_rightward { (from + 8, "start") } else { (from - 8, "end") };
    let _ = writeln!(
        svg,
        "<text x=\"{x}\" y=\"{}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>",
        y - 5,
        escaped(&label)
    );
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{width}\" height=\"20\" rx=\"4\" fill=\"#ffffff\" stroke=\"{colour}\"/>\
         <text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{colour}\" font-weight=\"700\">{}</text>",
        to - width / 2,
        y - 10,
        to,
        y + 4,
        escaped(&answer)
    );
}

/// A request and its answer in a few words, and the colour of the row. That nothing is there is bad news for who has seen a
/// value.
fn words(row: &Served<'_>, has_seen: bool) -> (String, String, &'static str) {
    let request = row.request.trim_matches(['{', '}']);
    let parts: Vec<&str> = request.split(',').collect();
    let value_colour = |value: &str| if value == "one" { ONE } else { TWO };
    let refused = |text: &str| {
        text.strip_prefix("{wrong_epoch,").map(|it| format!("epoch {}", it.trim_end_matches('}')))
    };
    match (parts.as_slice(), refused(row.reply)) {
        (["write", epoch, _, value], Some(wrong)) => {
            (format!("write {value} (epoch {epoch})"), wrong, SOFT)
        }
        (["read", epoch, _], Some(wrong)) => (format!("read (epoch {epoch})"), wrong, SOFT),
        (["write", epoch, _, value], None) => {
            let (answer, colour) = match row.reply {
                "ok" => ((*value).to_owned(), value_colour(value)),
                other => (other.to_owned(), SOFT),
            };
            (format!("write {value} (epoch {epoch})"), answer, colour)
        }
        (["read", epoch, _], None) => {
            let (answer, colour) = read(row.reply, has_seen);
            (format!("read (epoch {epoch})"), answer, colour)
        }
        (["content", ..], None) => {
            let (answer, _) = read(row.reply, false);
            ("content".to_owned(), answer, BAD)
        }
        (["enter", epoch], _) => ("enter".to_owned(), format!("epoch {epoch}"), INK),
        _ => (request.to_owned(), row.reply.to_owned(), INK),
    }
}

fn read(reply: &str, has_seen: bool) -> (String, &'static str) {
    match reply.strip_prefix("{ok,") {
        Some(value) => (value.trim_end_matches('}').to_owned(), GOOD),
        None => ("nothing".to_owned(), if has_seen { BAD } else { INK }),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The pictures are those of the traces; `UPDATE_EXPECT=1` draws them again.
    #[test]
    fn the_pictures_of_the_chapter_are_drawn_from_its_traces() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("in the workspace");
        for story in &STORIES {
            let trace = std::fs::read_to_string(root.join(story.trace)).expect("a trace");
            let picture = draw(story, &trace);
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                std::fs::write(root.join(story.picture), &picture)
                    .expect("the guide can be written");
            }
            let known = std::fs::read_to_string(root.join(story.picture)).unwrap_or_default();
            assert_eq!(known, picture, "{}: UPDATE_EXPECT=1 draws it again", story.picture);
        }
    }

    /// The pictures show what the chapter tells.
    #[test]
    fn the_traces_tell_the_stories_of_the_paper() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("in the workspace");
        let rows = |story: &Story| {
            let trace = std::fs::read_to_string(root.join(story.trace)).expect("a trace");
            let told = served(&trace);
            told.iter()
                .map(|it| (it.client.to_owned(), it.request.to_owned(), it.reply.to_owned()))
                .collect::<Vec<_>>()
        };
        let [tail, head] = &STORIES;
        let reads: Vec<String> = rows(tail)
            .into_iter()
            .filter(|(client, request, reply)| {
                client == "<P.6>" && request.starts_with("{read") && !reply.starts_with("{wrong")
            })
            .map(|it| it.2)
            .collect();
        assert_eq!(reads, ["{ok,one}", "not_written"], "read, then not written");
        let contents: Vec<String> = rows(head)
            .into_iter()
            .filter(|it| it.1.starts_with("{content"))
            .map(|it| it.2)
            .collect();
        assert_eq!(contents, ["{ok,two}", "{ok,one}", "not_written"], "two values on the chain");
    }
}
