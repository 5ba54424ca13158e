//! The run as a sequence diagram in PlantUML's notation, for documents that draw their own pictures.

use super::{Exported, Format};
use crate::Diagnostic;
use foresee_lts::Verb;
use foresee_trace::{Mark, SpaceTime};
use std::fmt::Write as _;

pub(super) struct PlantUml;

impl Format for PlantUml {
    fn name(&self) -> &'static str {
        "plantuml"
    }

    fn ending(&self) -> &'static str {
        "puml"
    }

    fn about(&self) -> &'static str {
        "a PlantUML sequence diagram"
    }

    fn write(&self, run: &Exported<'_>) -> Result<String, Diagnostic> {
        let replayed = run.replayed.run();
        let diagram = SpaceTime::of_story(&replayed, replayed.story());
        let mut text =
            "@startuml\n' Written by foresee; a later export may write over it.\n".to_owned();
        let _ = writeln!(text, "title {}", plain(&run.trace.system));
        for (lane, name) in diagram.lanes.iter().enumerate() {
            let _ = writeln!(text, "participant \"{}\" as m{lane}", plain(name).replace('"', "'"));
        }
        for mark in &diagram.marks {
            text.push_str(&line(mark));
        }
        if let Some(finding) = &run.trace.violation {
            let _ = writeln!(text, "== {} ==", plain(&finding.title()));
        }
        text.push_str("@enduml\n");
        Ok(text)
    }
}

/// One event: an arrow if a message goes from one to another, else a note where it happens.
fn line(mark: &Mark) -> String {
    let (step, label) = (mark.step, &mark.label);
    let what = plain(&label.payload.to_string());
    let sender = mark.sender.filter(|sender| Some(*sender) != mark.lane);
    match (sender, mark.lane, label.verb) {
        (Some(from), Some(to), Verb::Deliver | Verb::Receive) => {
            format!("m{from} -> m{to} : {step}. {what}\n")
        }
        (Some(from), Some(to), Verb::Drop) => format!("m{from} ->x m{to} : {step}. {what}\n"),
        (_, Some(at), verb) => format!("note over m{at} : {step}. {} {what}\n", verb.word()),
        (_, None, verb) => format!("== {step}. {} {what} ==\n", verb.word()),
    }
}

/// Text on one line, without what PlantUML takes for its own.
fn plain(text: &str) -> String {
    let escaped = |c: char| match c {
        '\n' | '\r' => "\\n".to_owned(),
        '<' | '>' | '~' | '*' | '_' | '[' | ']' | '\\' | '"' => format!("<U+{:04X}>", c as u32),
        c => c.to_string(),
    };
    text.chars().map(escaped).collect()
}
