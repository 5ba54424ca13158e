//! Exports, and the story: one file with the page, everything it shows of the main run, and no need of a server or a network.
//! The page reads what was recorded from the element `story` instead of asking; see `web/src` for the other side.
//! Invariant: nothing from outside can end the element it stands in: the data is packed, and what is not is escaped.

use crate::answers::{self, refused};
use crate::assets;
use crate::protocol as p;
use crate::server::Options;
use crate::worker::refusal;
use base64::prelude::{BASE64_STANDARD, Engine as _};
use foresee_session::{Inspection, NoMeter, PlaceId, Scout, escaped_markup};
use miniz_oxide::deflate::compress_to_vec_zlib;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// A run in another form.
pub(crate) fn export(
    it: &mut Inspection,
    format: &str,
    branch: u32,
    place: Option<PlaceId>,
) -> Result<p::Exported, p::Refused> {
    let tip = *it.run_of(branch).map_err(refused)?.last().unwrap_or(&0);
    if format == "html" {
        let name = format!("{}.html", it.loaded().short_name().replace(['/', '\\'], "-"));
        return Ok(p::Exported { name, text: html(it, branch)? });
    }
    let exported = it.export(format, place.unwrap_or(tip));
    let (name, text) = exported
        .map_err(|news| p::Refused { help: news.help, ..refusal("not-possible", news.message) })?;
    Ok(p::Exported { name, text })
}

/// A run of more steps is too long to be told in one file: its end is told.
const STEPS_MAX: usize = 400;
/// As many messages of an inbox, and choices of a kind, are in the file.
const MOST: u32 = 40;

/// The story of what an inspection shows first, as one page: what `export html` on the page gives of the main branch.
pub fn story_page(inspection: &mut Inspection) -> Result<String, String> {
    let run = inspection.decisive_errands();
    if !run.is_empty() {
        let found = Scout::default().decisive(&run, &crate::errands::decisive_limits(), &NoMeter);
        inspection.set_decisive(found.unwrap_or_default());
    }
    html(inspection, 0).map_err(|refused| refused.message)
}

/// The story of a branch as one page.
pub(crate) fn html(it: &mut Inspection, branch: u32) -> Result<String, p::Refused> {
    let data = Shared::of(&recorded(it, branch)?);
    let [page, script, style] = assets::texts();
    let story =
        format!("<script type=\"text/plain\" id=\"story\">{}</script>", packed(&data.to_string()));
    let style = format!("<style>{}</style>", style.replace("</", "<\\/"));
    let script =
        format!("<script type=\"module\">{}</script>", script.replace("</script", "<\\/script"));
    let page = without_tag(&page, "<link", "app.css", ">", &style);
    let page = without_tag(&page, "<script", "app.js", "</script>", "");
    let words = without_scripts(it);
    let mark = "<!-- foresee report -->";
    let page = page.replacen("<html", &format!("{mark}\n<html"), 1);
    Ok(page.replacen("</body>", &format!("{words}\n{story}\n{script}\n</body>"), 1))
}

/// Compressed, and written with letters that mean nothing to a browser: the data of a story shrinks to a fifth.
fn packed(text: &str) -> String {
    BASE64_STANDARD.encode(compress_to_vec_zlib(text.as_bytes(), 9))
}

/// What is read where scripts do not run: the sentence, and why.
fn without_scripts(it: &Inspection) -> String {
    let opening = it.opening();
    let text = |words: &str| escaped_markup(words);
    let why = opening.why.iter().map(|line| format!("<p>{}</p>", text(line)));
    format!(
        "<noscript><h1>{}</h1>{}<p>{}</p><p>The run plays where scripts are allowed.</p></noscript>",
        text(&opening.headline),
        why.collect::<String>(),
        text(&opening.replay),
    )
}

/// Data in which a value that occurs often is listed once: `{"$":7}` stands for the eighth value of the list.
/// Why: a label stands in a row, in the choices of every place where it is possible, and in what is not possible; written out
/// each time, a story of 17 steps takes three times as much.
struct Shared {
    counts: HashMap<String, u32>,
    numbers: HashMap<String, usize>,
    values: Vec<Value>,
}

/// A value of fewer characters is written out.
const SHARED_MIN: usize = 48;

impl Shared {
    fn of(data: &Value) -> Value {
        let mut shared =
            Shared { counts: HashMap::new(), numbers: HashMap::new(), values: Vec::new() };
        shared.count(data);
        let data = shared.fold(data);
        json!({ "values": shared.values, "data": data })
    }

    fn count(&mut self, value: &Value) {
        let text = value.to_string();
        if text.len() < SHARED_MIN || value.is_string() {
            return;
        }
        let count = self.counts.entry(text).or_default();
        *count += 1;
        if *count > 1 {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.count(item)),
            Value::Object(fields) => fields.values().for_each(|field| self.count(field)),
            _ => {}
        }
    }

    fn fold(&mut self, value: &Value) -> Value {
        let inside = |shared: &mut Self| match value {
            Value::Array(items) => items.iter().map(|item| shared.fold(item)).collect(),
            Value::Object(fields) => {
                fields.iter().map(|(key, field)| (key.clone(), shared.fold(field))).collect()
            }
            other => other.clone(),
        };
        let text = value.to_string();
        if self.counts.get(&text).copied().unwrap_or(0) < 2 {
            return inside(self);
        }
        let number = match self.numbers.get(&text) {
            Some(number) => *number,
            None => {
                let folded = inside(self);
                self.values.push(folded);
                self.numbers.insert(text, self.values.len() - 1);
                self.values.len() - 1
            }
        };
        json!({ "$": number })
    }
}

/// The page with another text in place of the tag that names a file.
fn without_tag(page: &str, tag: &str, file: &str, end: &str, instead: &str) -> String {
    let Some(at) = page.find(file) else { return page.to_owned() };
    let Some(start) = page[..at].rfind(tag) else { return page.to_owned() };
    let Some(stop) = page[at..].find(end) else { return page.to_owned() };
    let stop = at + stop + end.len();
    format!("{}{instead}{}", &page[..start], &page[stop..])
}

/// The answers to what the page would ask.
fn recorded(it: &mut Inspection, branch: u32) -> Result<Value, p::Refused> {
    let line = it.run_of(branch).map_err(refused)?;
    let shown = &line[line.len().saturating_sub(STEPS_MAX)..];
    let hello = answers::hello(it, "story", &Options::default())?;
    let which = answers::Which { branch: Some(branch), ..Default::default() };
    let rows = answers::rows(it, which, 0, line.len() as u32)?;
    let (mut states, mut choices, mut changes) = (Map::new(), Map::new(), Map::new());
    let mut parts: Map<String, Value> = Map::new();
    for place in shown {
        let have: Vec<String> = parts.keys().cloned().collect();
        let state = it.state_up_to(*place, MOST as usize).map_err(refused)?;
        let changed = it.changes_at(*place).map_err(refused)?;
        let mut state = answers::state(it, state, changed, &have);
        for (key, tree) in std::mem::take(&mut state.parts) {
            parts.insert(key, json!(tree));
        }
        changes.insert(place.to_string(), json!(std::mem::take(&mut state.changes)));
        states.insert(place.to_string(), json!(state));
        choices.insert(place.to_string(), json!(answers::choices(it, *place, Some(MOST))?));
    }
    let mut sources = Map::new();
    for (file, text) in it.sources() {
        sources.insert(file, Value::String(text.to_string()));
    }
    // A run that cannot be drawn is told without a picture.
    let tip = line.last().copied().unwrap_or(0);
    let picture = it.export("svg", tip).map_or(String::new(), |(_, text)| text);
    Ok(json!({
        "picture": picture,
        "hello": hello,
        "rows": rows,
        "states": states,
        "parts": parts,
        "choices": choices,
        "changes": changes,
        "sources": sources,
        "story": answers::story(it, branch)?,
    }))
}
