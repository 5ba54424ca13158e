//! The text of a trace, written and read (docs/guide/trace-format.md).
//! Why a closing `end` and no checksum: people edit traces, and that must stay easy; but a file that was cut off must not
//! pass for a shorter run.
//! Invariant: reading what was written gives the same trace back: names, values and property names whatever is in them
//! (`escape`). Payloads have no line breaks and no white space around them (`Label` sees to that); keys of options and
//! messages are tidied on writing, and reading and writing again changes nothing more.

use crate::escape::{escaped_name, escaped_value, is_plain_name, is_plain_value, unescaped};
use crate::{Event, Finding, ParseError, Problem, Trace};
use foresee_lts::{Label, ViolationKind};
use std::fmt;

const ESCAPES: &str =
    "a text in which a backslash begins \\\\, \\s, \\n, \\r, \\t, \\e or \\u{HEX}";
const NOTE_INDENT: &str = "     ";

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "foresee trace {}", Trace::VERSION)?;
        write_header(f, "system", "", &self.system)?;
        if !self.kind.is_empty() {
            write_header(f, "kind", "", &self.kind)?;
        }
        if self.initial > 0 {
            writeln!(f, "initial: {}", self.initial)?;
        }
        for (key, value) in &self.options {
            let key = one_line(key).replace('=', "-");
            write_header(f, "option", &format!("{key} = "), value)?;
        }
        writeln!(f, "seed: {}", self.seed)?;
        if let Some(finding) = &self.violation {
            let property = finding.property.as_deref().unwrap_or_default();
            let kind =
                format!("{}{}", finding.kind.word(), if property.is_empty() { "" } else { " " });
            write_header(f, "violation", &kind, property)?;
            for line in lines_of(&finding.message) {
                let space = if line.is_empty() { "" } else { " " };
                writeln!(f, "message:{space}{line}")?;
            }
        }
        writeln!(f)?;
        for (i, event) in self.events.iter().enumerate() {
            write!(f, "{}  ", i + 1)?;
            if event.choice > 0 {
                write!(f, "[{}] ", event.choice + 1)?;
            }
            write_label(f, &event.label)?;
            let note = event.note.as_deref().unwrap_or_default();
            for line in lines_of(note).filter(|line| !line.trim().is_empty()) {
                writeln!(f, "{NOTE_INDENT}{line}")?;
            }
        }
        writeln!(f, "end")
    }
}

impl Trace {
    /// Reads the text of a trace.
    ///
    /// ```
    /// use foresee_trace::{Problem, Trace};
    /// let text = Trace::new("ping clients=1").to_string();
    /// assert_eq!(Trace::parse(&text), Ok(Trace::new("ping clients=1")));
    /// let cut_off = text.strip_suffix("end\n").unwrap();
    /// assert_eq!(Trace::parse(cut_off).unwrap_err().problem, Problem::Truncated);
    /// ```
    pub fn parse(text: &str) -> Result<Trace, ParseError> {
        Reader::default().read(text)
    }

    /// Reads the bytes of a trace file; bytes that are not UTF-8 are a problem with a line number, too.
    pub fn from_bytes(bytes: &[u8]) -> Result<Trace, ParseError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Trace::parse(text),
            Err(error) => {
                let good = &bytes[..error.valid_up_to()];
                let line = 1 + good.iter().filter(|byte| **byte == b'\n').count();
                Err(ParseError::new(line, "", Problem::NotText))
            }
        }
    }
}

/// Where the reader stands.
#[derive(Default, PartialEq)]
enum Section {
    #[default]
    Before,
    Header,
    Events,
    After,
}

#[derive(Default)]
struct Reader {
    section: Section,
    trace: Trace,
    /// Headers that may stand once and have been seen.
    seen: Vec<String>,
    /// The lines of the violation's message.
    message: Vec<String>,
}

impl Reader {
    fn read(mut self, text: &str) -> Result<Trace, ParseError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut n_lines = 0;
        for (i, line) in text.lines().enumerate() {
            n_lines = i + 1;
            self.line(line).map_err(|problem| ParseError::new(i + 1, line, problem))?;
        }
        let problem = match self.section {
            Section::Before => Problem::NotATrace,
            Section::Header | Section::Events => Problem::Truncated,
            Section::After if self.trace.system.is_empty() => Problem::NoSystem,
            Section::After => return Ok(self.finish()),
        };
        Err(ParseError::new(n_lines + 1, "", problem))
    }

    fn line(&mut self, line: &str) -> Result<(), Problem> {
        if line.starts_with('#') {
            return Ok(());
        }
        if line.trim().is_empty() {
            if self.section == Section::Header {
                self.section = Section::Events;
            }
            return Ok(());
        }
        match self.section {
            Section::Before => self.first_line(line),
            Section::Header => self.header(line),
            Section::Events if line.trim_end() == "end" => {
                self.section = Section::After;
                Ok(())
            }
            Section::Events if line.starts_with(char::is_whitespace) => self.note(line),
            Section::Events => self.event(line),
            Section::After => Err(Problem::AfterEnd),
        }
    }

    fn first_line(&mut self, line: &str) -> Result<(), Problem> {
        let mut words = line.split_whitespace();
        if (words.next(), words.next()) != (Some("foresee"), Some("trace")) {
            return Err(Problem::NotATrace);
        }
        let version = words.next().and_then(|word| word.parse::<u32>().ok());
        match version {
            Some(Trace::VERSION) if words.next().is_none() => {
                self.trace.version = Trace::VERSION;
                self.section = Section::Header;
                Ok(())
            }
            Some(version) if version > Trace::VERSION => Err(Problem::UnknownVersion),
            _ => Err(Problem::NotATrace),
        }
    }

    fn header(&mut self, line: &str) -> Result<(), Problem> {
        let (key, rest) = line.split_once(':').ok_or(Problem::NotAHeader)?;
        let (key, value) = (key.trim(), rest.trim());
        let (key, is_escaped) = match key.strip_suffix('\\') {
            Some(key) => (key, true),
            None => (key, false),
        };
        let plain = |text: &str| match is_escaped {
            true => unescaped(text).ok_or_else(|| Problem::BadValue(ESCAPES.into())),
            false => Ok(text.to_owned()),
        };
        if key != "option" && key != "message" {
            if self.seen.iter().any(|seen| seen == key) {
                return Err(Problem::RepeatedHeader);
            }
            self.seen.push(key.to_owned());
        }
        match key {
            "system" if value.is_empty() => return Err(Problem::NoSystem),
            "system" => self.trace.system = plain(value)?,
            "kind" => self.trace.kind = plain(value)?,
            "initial" => self.trace.initial = number(value)?,
            "seed" => self.trace.seed = number(value)?,
            "option" => {
                let (name, value) = value
                    .split_once('=')
                    .ok_or_else(|| Problem::BadValue("`option: key = value`".into()))?;
                let option = (name.trim().to_owned(), plain(value.trim())?);
                self.trace.options.push(option);
            }
            "violation" => {
                let mut finding = violation(value)?;
                finding.property = finding.property.map(|it| plain(&it)).transpose()?;
                self.trace.violation = Some(finding);
            }
            "message" => self.message.push(rest.strip_prefix(' ').unwrap_or(rest).to_owned()),
            _ => return Err(Problem::NotAHeader),
        }
        Ok(())
    }

    fn event(&mut self, line: &str) -> Result<(), Problem> {
        let digits = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        let (number, rest) = line.split_at(digits);
        if number.is_empty() || !rest.starts_with(char::is_whitespace) {
            return Err(Problem::NotAnEvent);
        }
        let (choice, label) = choice(rest.trim_start()).ok_or(Problem::NotAnEvent)?;
        let label = match label.strip_prefix('\\') {
            Some(escaped) => Label::parse(escaped.trim_start()).and_then(plain_names),
            None => Label::parse(label),
        };
        let label = label.ok_or(Problem::NotAnEvent)?;
        self.trace.events.push(Event { label, choice, note: None });
        Ok(())
    }

    fn note(&mut self, line: &str) -> Result<(), Problem> {
        let event = self.trace.events.last_mut().ok_or(Problem::StrayNote)?;
        let line = line.strip_prefix(NOTE_INDENT).unwrap_or_else(|| line.trim_start());
        match &mut event.note {
            Some(note) => {
                note.push('\n');
                note.push_str(line);
            }
            none => *none = Some(line.to_owned()),
        }
        Ok(())
    }

    fn finish(mut self) -> Trace {
        if let Some(finding) = &mut self.trace.violation {
            finding.message = self.message.join("\n");
        }
        self.trace
    }
}

fn number<T: std::str::FromStr>(value: &str) -> Result<T, Problem> {
    value.parse().map_err(|_| Problem::BadValue("a whole number".into()))
}

/// `kind` or `kind property name`; the words of kinds are those of the JSON output.
fn violation(value: &str) -> Result<Finding, Problem> {
    let (word, property) = value.split_once(char::is_whitespace).unwrap_or((value, ""));
    let kind = ViolationKind::of_word(word).ok_or_else(|| {
        let kinds = ViolationKind::ALL.map(|kind| format!("`{}`", kind.word())).join(", ");
        Problem::BadValue(format!("`violation: KIND PROPERTY`, with a kind that is one of {kinds}"))
    })?;
    let property = property.trim();
    Ok(Finding {
        kind,
        property: (!property.is_empty()).then(|| property.to_owned()),
        message: String::new(),
    })
}

/// `[2] label` is the second enabled action with that label.
fn choice(text: &str) -> Option<(usize, &str)> {
    let Some(rest) = text.strip_prefix('[') else {
        return Some((0, text));
    };
    let (number, label) = rest.split_once(']')?;
    let number = number.trim().parse::<usize>().ok()?;
    Some((number.checked_sub(1)?, label.trim_start()))
}

/// `key: lead value`, escaped if it must be.
fn write_header(f: &mut fmt::Formatter<'_>, key: &str, lead: &str, value: &str) -> fmt::Result {
    if is_plain_value(value) {
        writeln!(f, "{}", format!("{key}: {lead}{value}").trim_end())
    } else {
        writeln!(f, "{key}\\: {lead}{}", escaped_value(value))
    }
}

/// A label; names that would end before their end are escaped.
fn write_label(f: &mut fmt::Formatter<'_>, label: &Label) -> fmt::Result {
    let names = || label.from.iter().chain(&label.to);
    if names().all(|name| is_plain_name(name)) {
        return writeln!(f, "{}", one_line(&label.to_string()));
    }
    let escaped = |name: &Option<String>| name.as_deref().map(escaped_name);
    let (from, to) = (escaped(&label.from), escaped(&label.to));
    writeln!(f, "\\ {}", one_line(&Label { from, to, ..label.clone() }.to_string()))
}

/// A label whose names were escaped.
fn plain_names(label: Label) -> Option<Label> {
    let plain = |name: Option<String>| match name {
        Some(name) => unescaped(&name).map(Some),
        None => Some(None),
    };
    Some(Label { from: plain(label.from)?, to: plain(label.to)?, ..label })
}

fn one_line(text: &str) -> String {
    if text.contains(['\n', '\r']) {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.trim().to_owned()
    }
}

/// The lines of a text, none for an empty one. A lone carriage return cannot be kept in a line-based file.
fn lines_of(text: &str) -> impl Iterator<Item = String> {
    let n_lines = if text.is_empty() { 0 } else { usize::MAX };
    text.split('\n').take(n_lines).map(|line| line.trim_end_matches('\r').replace('\r', " "))
}
