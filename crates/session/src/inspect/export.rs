//! A run of an inspection for others: a trace, a regression test, a picture, data.

use super::Inspection;
use super::caption::sentence;
use crate::{Code, Diagnostic, Export, StageError, Trace, Tree, export, replay};
use foresee_search::PlaceId;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

impl Inspection {
    /// The run to a place as a trace, which says with which faults it has to be replayed.
    pub fn trace(&mut self, place: PlaceId) -> Result<Trace, StageError> {
        let (stage, local) = self.spots.at(place)?;
        let mut trace = stage.trace(local);
        if place == self.branches[0].tip
            && let Some((kind, property, message)) = &self.claimed
        {
            trace.violation = Some(foresee_trace::Finding {
                kind: *kind,
                property: property.clone(),
                message: message.clone(),
            });
        }
        Ok(trace)
    }

    /// The run to a place in another form: `trace`, `rust-test`, `erlang-test`, `svg`, `mermaid`, `itf`, `json`, `session`. The
    /// name of a file for it, and its text.
    pub fn export(&mut self, format: &str, place: PlaceId) -> Result<(String, String), Diagnostic> {
        let refused = |error: StageError| Diagnostic::new(Code::UnknownExport, error.message);
        let stem = self.loaded().short_name().replace(['/', '\\'], "-");
        if let Some(kind) = Export::ALL.iter().find(|export| export.name() == format) {
            let name = kind.file_name(&stem);
            let trace = self.trace(place).map_err(refused)?;
            let replayed = replay(&trace, &self.home.registry, &*self.home.files)?;
            return Ok((name.clone(), export(&name, &trace, &replayed)?));
        }
        match format {
            "trace" => {
                let trace = self.trace(place).map_err(refused)?;
                Ok((format!("{stem}.trace"), trace.to_string()))
            }
            "session" => Ok((format!("{stem}.session"), self.to_session())),
            "mermaid" => Ok((format!("{stem}.mmd"), self.mermaid(place).map_err(refused)?)),
            "itf" => Ok((format!("{stem}.itf.json"), self.itf(place).map_err(refused)?)),
            _ => {
                Err(Diagnostic::new(Code::UnknownExport, format!("there is no export `{format}`"))
                    .help(format!("{}, trace, mermaid, html, itf or session", names())))
            }
        }
    }

    /// A sequence diagram in Mermaid's notation.
    fn mermaid(&mut self, place: PlaceId) -> Result<String, StageError> {
        let mut text = "sequenceDiagram\n".to_owned();
        let mut names: BTreeMap<String, String> = BTreeMap::new();
        for member in self.members(place)? {
            let id = format!("m{}", member.member);
            let _ = writeln!(text, "  participant {id} as {}", plain(&member.name));
            names.insert(foresee_trace::member_identity(&member.name).to_owned(), id);
        }
        for at in self.spots.line(place) {
            let row = self.row(at)?;
            let Some(label) = &row.label else { continue };
            let id = |name: &Option<String>| {
                names.get(foresee_trace::member_identity(name.as_deref()?)).cloned()
            };
            let words = format!("{} {}", row.step, plain(&label.short));
            let _ = match (id(&label.from), id(&label.to), label.verb.as_str()) {
                (Some(from), Some(to), "deliver") => writeln!(text, "  {from}->>{to}: {words}"),
                (Some(from), Some(to), "drop") => writeln!(text, "  {from}-x{to}: {words} (lost)"),
                (_, Some(to), "deliver" | "drop" | "duplicate") => {
                    writeln!(text, "  Note over {to}: {words}")
                }
                (_, Some(to), _) => {
                    let what = plain(sentence(label).trim_end_matches('.'));
                    writeln!(text, "  Note over {to}: {} {what}", row.step)
                }
                (_, None, _) => writeln!(text, "  %% {words}"),
            };
        }
        Ok(text)
    }

    /// The states of the run in the Informal Trace Format, which viewers of other tools read.
    fn itf(&mut self, place: PlaceId) -> Result<String, StageError> {
        let mut states = Vec::new();
        let mut variables: Vec<String> = Vec::new();
        for at in self.spots.line(place) {
            let label = self.row(at)?.label.map(|label| label.text);
            let (stage, local) = self.spots.at(at)?;
            let description = stage.outline(local);
            let members = description.members.iter().map(|it| (&it.name, &it.state));
            let shared = description.shared.iter().map(|(name, tree)| (name, tree));
            let mut state = Map::new();
            state.insert("#meta".to_owned(), json!({ "index": states.len(), "step": label }));
            for (name, tree) in members.chain(shared) {
                if !variables.contains(name) {
                    variables.push(name.clone());
                }
                state.insert(name.clone(), itf_value(tree));
            }
            states.push(Value::Object(state));
        }
        let meta = json!({
            "format": "ITF",
            "description": format!("{}, written by foresee", self.info().system),
        });
        let whole = json!({ "#meta": meta, "vars": variables, "states": states });
        Ok(whole.to_string() + "\n")
    }
}

/// The exports that `replay` has too.
fn names() -> String {
    Export::ALL.iter().map(|export| export.name()).collect::<Vec<_>>().join(", ")
}

fn itf_value(tree: &Tree) -> Value {
    match tree {
        Tree::Leaf(text) => match text.parse::<i64>() {
            Ok(number) => json!({ "#bigint": number.to_string() }),
            Err(_) => Value::String(text.clone()),
        },
        Tree::Record { name, fields } => {
            let fields = fields.iter().map(|(field, tree)| (field.clone(), itf_value(tree)));
            let mut record: Map<String, Value> = fields.collect();
            if !name.is_empty() {
                record.insert("tag".to_owned(), Value::String(name.clone()));
            }
            Value::Object(record)
        }
        Tree::List { items, .. } => Value::Array(items.iter().map(itf_value).collect()),
        Tree::Map(entries) => {
            let entries =
                entries.iter().map(|(key, value)| json!([itf_value(key), itf_value(value)]));
            json!({ "#map": entries.collect::<Vec<_>>() })
        }
    }
}

/// Text without what Mermaid takes for its own.
fn plain(text: &str) -> String {
    text.replace(['<', '>', ';', '#', ':'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}
