//! Module `re`: subjects, options and results of regular expressions; the matching itself is in `crate::regex`.
//! Places are bytes, of the subject in UTF-8 when `unicode` is on. A compiled pattern is `{re_pattern, N, Unicode, 0,
//! Binary}` as in Erlang; the binary holds the options and the text, and compiling is remembered, so using one costs a
//! look-up.
//! Not here: funs as replacements (`prelude/re.erl`).

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::regex::{Error, MatchOptions, Options, Regex};
use crate::term::Term;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

pub(super) const TABLE: &[Builtin] = &[
    pure("re", "compile", 1, compile),
    pure("re", "compile", 2, compile),
    pure("re", "run", 2, run),
    pure("re", "run", 3, run),
    pure("re", "foresee_replace", 4, replace),
    pure("re", "foresee_pieces", 3, pieces),
    pure("re", "split", 2, split),
    pure("re", "split", 3, split),
    pure("re", "inspect", 2, inspect),
    pure("re", "version", 0, version),
];

/// How captured text comes back.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Index,
    List,
    Binary,
    Iodata,
}

/// Which groups come back.
enum Capture {
    All,
    AllButFirst,
    AllNames,
    First,
    None,
    These(Vec<Term>),
}

struct Settings {
    pattern: Options,
    /// Some option belongs to patterns only, so a compiled one cannot take it.
    for_patterns: bool,
    matching: MatchOptions,
    global: bool,
    offset: usize,
    capture: Capture,
    kind: Kind,
    /// `re:split`: parts at most, groups apart, empty parts at the end dropped.
    parts: Option<usize>,
    group: bool,
    trim: bool,
}

impl Settings {
    fn of(options: Option<&Term>, kind: Kind) -> Result<Settings, Raise> {
        let mut settings = Settings {
            pattern: Options::default(),
            for_patterns: false,
            matching: MatchOptions::default(),
            global: false,
            offset: 0,
            capture: Capture::All,
            kind,
            parts: None,
            group: false,
            trim: false,
        };
        for option in options.map_or(Some(Vec::new()), Term::to_vec).ok_or_else(Raise::badarg)? {
            match (option.as_atom(), option.as_tuple()) {
                (Some(name), _) => settings.flag(name.text())?,
                (_, Some([Term::Atom(name), rest @ ..])) => settings.value(name.text(), rest)?,
                _ => return Err(Raise::badarg()),
            }
        }
        Ok(settings)
    }

    fn flag(&mut self, name: &str) -> Result<(), Raise> {
        let pattern = &mut self.pattern;
        let for_patterns = match name {
            "unicode" => Some(&mut pattern.unicode),
            "ucp" => Some(&mut pattern.properties),
            "caseless" => Some(&mut pattern.caseless),
            "dollar_endonly" => Some(&mut pattern.dollar_endonly),
            "dotall" => Some(&mut pattern.dotall),
            "extended" => Some(&mut pattern.extended),
            "firstline" => Some(&mut pattern.firstline),
            "multiline" => Some(&mut pattern.multiline),
            "no_auto_capture" => Some(&mut pattern.no_auto_capture),
            "ungreedy" => Some(&mut pattern.ungreedy),
            _ => None,
        };
        if let Some(flag) = for_patterns {
            *flag = true;
            self.for_patterns = true;
            return Ok(());
        }
        match name {
            "anchored" => {
                self.pattern.anchored = true;
                self.matching.anchored = true;
            }
            "global" => self.global = true,
            "notbol" => self.matching.not_bol = true,
            "noteol" => self.matching.not_eol = true,
            "notempty" => self.matching.not_empty = true,
            "notempty_atstart" => self.matching.not_empty_at_start = true,
            "group" => self.group = true,
            "trim" => self.trim = true,
            // Speed only, or errors that never come.
            "no_start_optimize" | "never_utf" | "report_errors" | "bsr_unicode" => {}
            "bsr_anycrlf" | "dupnames" => {
                return Err(Raise::Unmodelled(format!("option {name} of a regular expression")));
            }
            _ => return Err(Raise::badarg()),
        }
        Ok(())
    }

    fn value(&mut self, name: &str, values: &[Term]) -> Result<(), Raise> {
        match (name, values) {
            ("capture", [what]) => self.capture = capture(what)?,
            ("capture", [what, kind]) => {
                self.capture = capture(what)?;
                self.kind = match arg(kind.as_atom())?.text() {
                    "index" => Kind::Index,
                    "list" => Kind::List,
                    "binary" => Kind::Binary,
                    _ => return Err(Raise::badarg()),
                };
            }
            ("return", [kind]) => {
                self.kind = match arg(kind.as_atom())?.text() {
                    "iodata" => Kind::Iodata,
                    "list" => Kind::List,
                    "binary" => Kind::Binary,
                    _ => return Err(Raise::badarg()),
                };
            }
            ("offset", [offset]) => self.offset = arg(offset.as_usize())?,
            ("parts", [parts]) if parts.is_atom(atom!("infinity")) => self.parts = None,
            ("parts", [Term::Int(0)]) => self.trim = true,
            ("parts", [parts]) => self.parts = Some(arg(parts.as_usize())?),
            ("match_limit" | "match_limit_recursion", [limit]) => {
                arg(limit.as_usize())?;
            }
            ("newline", [kind]) if kind.is_atom(atom!("lf")) => {}
            ("newline", [kind]) => {
                arg(kind.as_atom())?;
                let what = format!("option {{newline, {kind}}} of a regular expression");
                return Err(Raise::Unmodelled(what));
            }
            _ => return Err(Raise::badarg()),
        }
        Ok(())
    }
}

fn capture(what: &Term) -> Result<Capture, Raise> {
    if let Some(these) = what.to_vec() {
        return Ok(Capture::These(these));
    }
    Ok(match arg(what.as_atom())?.text() {
        "all" => Capture::All,
        "all_but_first" => Capture::AllButFirst,
        "all_names" => Capture::AllNames,
        "first" => Capture::First,
        "none" => Capture::None,
        _ => return Err(Raise::badarg()),
    })
}

/// A subject as units, with the place in bytes of each.
struct Subject {
    units: Vec<u32>,
    places: Vec<usize>,
    bytes: Vec<u8>,
    unicode: bool,
}

impl Subject {
    fn of(term: &Term, unicode: bool) -> Result<Subject, Raise> {
        let bytes = bytes_of(term, unicode)?;
        let mut places = Vec::with_capacity(bytes.len() + 1);
        let units = if unicode {
            let text = arg(std::str::from_utf8(&bytes).ok())?;
            places.extend(text.char_indices().map(|(at, _)| at));
            text.chars().map(u32::from).collect()
        } else {
            places.extend(0..bytes.len());
            bytes.iter().map(|byte| u32::from(*byte)).collect()
        };
        places.push(bytes.len());
        Ok(Subject { units, places, bytes, unicode })
    }

    /// The unit that starts at a byte.
    fn unit_at(&self, byte: usize) -> Result<usize, Raise> {
        arg(self.places.binary_search(&byte).ok())
    }

    fn piece(&self, from: usize, to: usize, kind: Kind) -> Term {
        let (start, end) = (self.places[from], self.places[to]);
        match kind {
            Kind::Index => Term::tuple([Term::from(start), Term::from(end - start)]),
            Kind::Binary | Kind::Iodata => Term::binary(&self.bytes[start..end]),
            Kind::List => list_of(&self.units[from..to]),
        }
    }
}

fn list_of(units: &[u32]) -> Term {
    Term::list(units.iter().map(|unit| Term::Int(i64::from(*unit))).collect::<Vec<_>>())
}

/// Text as bytes: an iolist, or characters as UTF-8.
fn bytes_of(term: &Term, unicode: bool) -> Result<Vec<u8>, Raise> {
    if unicode {
        return Ok(super::unicode::text(term)?.into_bytes());
    }
    let binary = super::convert::iolist(term)?;
    Ok(arg(binary.as_bits())?.to_bytes())
}

type Cache = Mutex<FxHashMap<(Vec<u8>, Options), Arc<Regex>>>;

/// Patterns compiled before: most are used many times.
static CACHE: LazyLock<Cache> = LazyLock::new(|| Mutex::new(FxHashMap::default()));
const CACHE_MAX: usize = 256;

fn regex(text: &[u8], options: Options) -> Result<Arc<Regex>, Error> {
    let key = (text.to_vec(), options);
    if let Some(regex) = CACHE.lock().get(&key) {
        return Ok(Arc::clone(regex));
    }
    let units: Vec<u32> = match std::str::from_utf8(text) {
        Ok(text) if options.unicode => text.chars().map(u32::from).collect(),
        _ => text.iter().map(|byte| u32::from(*byte)).collect(),
    };
    let regex = Arc::new(Regex::new(&units, options)?);
    let mut cache = CACHE.lock();
    if cache.len() >= CACHE_MAX {
        cache.clear();
    }
    cache.insert(key, Arc::clone(&regex));
    Ok(regex)
}

/// The pattern of a call: compiled before, or text and the options of the call.
fn pattern(term: &Term, settings: &Settings) -> Result<Arc<Regex>, Raise> {
    let found = match term.as_tuple() {
        Some([tag, _, _, _, binary]) if tag.is_atom(atom!("re_pattern")) => {
            arg((!settings.for_patterns).then_some(()))?;
            let bytes = arg(binary.as_bits())?.to_bytes();
            let (options, text) = arg(unpacked(&bytes))?;
            regex(text, options)
        }
        _ => regex(&bytes_of(term, settings.pattern.unicode)?, settings.pattern),
    };
    found.map_err(|error| match error {
        Error::Wrong(..) => Raise::badarg(),
        Error::Unmodelled(what) => Raise::Unmodelled(what),
    })
}

fn packed(options: Options, text: &[u8]) -> Vec<u8> {
    let flags = [
        options.unicode,
        options.properties,
        options.anchored,
        options.caseless,
        options.dollar_endonly,
        options.dotall,
        options.extended,
        options.firstline,
        options.multiline,
        options.no_auto_capture,
        options.ungreedy,
    ];
    let mut bytes: Vec<u8> = flags.iter().map(|flag| u8::from(*flag)).collect();
    bytes.extend(text);
    bytes
}

fn unpacked(bytes: &[u8]) -> Option<(Options, &[u8])> {
    let (flags, text) = bytes.split_at_checked(11)?;
    let on = |at: usize| flags[at] == 1;
    let options = Options {
        unicode: on(0),
        properties: on(1),
        anchored: on(2),
        caseless: on(3),
        dollar_endonly: on(4),
        dotall: on(5),
        extended: on(6),
        firstline: on(7),
        multiline: on(8),
        no_auto_capture: on(9),
        ungreedy: on(10),
    };
    Some((options, text))
}

fn compile(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let options = Settings::of(args.get(1), Kind::Index)?.pattern;
    let text = bytes_of(&args[0], options.unicode)?;
    match regex(&text, options) {
        Ok(regex) => {
            let unicode = Term::Int(i64::from(regex.options().unicode));
            let binary = Term::binary(&packed(options, &text));
            let pattern = [a!("re_pattern"), Term::from(regex.n_groups()), unicode];
            let pattern = Term::tuple(pattern.into_iter().chain([Term::Int(0), binary]));
            Ok(Term::tuple([a!("ok"), pattern]))
        }
        Err(Error::Wrong(what, at)) => {
            let reason = Term::tuple([Term::string(what), Term::from(at)]);
            Ok(Term::tuple([a!("error"), reason]))
        }
        Err(Error::Unmodelled(what)) => Err(Raise::Unmodelled(what)),
    }
}

/// Groups of one match, without those at the end that did not take part.
type Found = Vec<Option<(usize, usize)>>;

fn find(
    regex: &Regex,
    subject: &Subject,
    start: usize,
    options: MatchOptions,
) -> Result<Option<Found>, Raise> {
    let hard = |_| Raise::Unmodelled("a regular expression that takes so many steps".to_owned());
    let mut found = regex.find(&subject.units, start, options).map_err(hard)?;
    if let Some(groups) = &mut found {
        while groups.len() > 1 && groups.last().is_some_and(Option::is_none) {
            groups.pop();
        }
    }
    Ok(found)
}

/// Every match from left to right. After an empty one, a match of something at the same place is looked for first.
fn find_all(regex: &Regex, subject: &Subject, settings: &Settings) -> Result<Vec<Found>, Raise> {
    let mut all = Vec::new();
    let mut at = subject.unit_at(settings.offset)?;
    while at <= subject.units.len() {
        let Some(found) = find(regex, subject, at, settings.matching)? else { break };
        let (from, to) = found[0].expect("the whole");
        all.push(found);
        if to > from {
            at = to;
            continue;
        }
        let again = MatchOptions { not_empty_at_start: true, anchored: true, ..settings.matching };
        let more = find(regex, subject, at, again)?;
        let len = more.as_ref().map_or(0, |more| more[0].map_or(0, |(from, to)| to - from));
        at = from + len.max(1);
        all.extend(more);
    }
    Ok(all)
}

fn run(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let settings = Settings::of(args.get(2), Kind::Index)?;
    let splitting = settings.group || settings.trim || settings.parts.is_some();
    arg((!splitting && settings.kind != Kind::Iodata).then_some(()))?;
    let regex = pattern(&args[1], &settings)?;
    let subject = Subject::of(&args[0], regex.options().unicode)?;
    let wrap = |value: Option<Term>| match value {
        Some(value) => Term::tuple([a!("match"), value]),
        None => a!("match"),
    };
    if settings.global {
        let all = find_all(&regex, &subject, &settings)?;
        if all.is_empty() {
            return Ok(a!("nomatch"));
        }
        let all = all.iter().map(|found| captured(&regex, &subject, found, &settings));
        let all: Option<Vec<Term>> = all.collect::<Result<_, _>>()?;
        return Ok(wrap(all.map(Term::list)));
    }
    let start = subject.unit_at(settings.offset)?;
    match find(&regex, &subject, start, settings.matching)? {
        None => Ok(a!("nomatch")),
        Some(found) => Ok(wrap(captured(&regex, &subject, &found, &settings)?)),
    }
}

/// What the caller asked for of one match; nothing if that was `none`.
fn captured(
    regex: &Regex,
    subject: &Subject,
    found: &Found,
    settings: &Settings,
) -> Result<Option<Term>, Raise> {
    let show = |group: Option<(usize, usize)>| match (group, settings.kind) {
        (Some((from, to)), kind) => subject.piece(from, to, kind),
        (None, Kind::Index) => Term::tuple([Term::Int(-1), Term::Int(0)]),
        (None, Kind::List) => Term::Nil,
        (None, _) => Term::binary(&[]),
    };
    let numbered = |number: usize| show(found.get(number).copied().flatten());
    let items: Vec<Term> = match &settings.capture {
        Capture::All => found.iter().map(|group| show(*group)).collect(),
        Capture::AllButFirst => found.iter().skip(1).map(|group| show(*group)).collect(),
        Capture::First => vec![numbered(0)],
        Capture::None => return Ok(None),
        Capture::AllNames if regex.names().is_empty() => return Ok(None),
        Capture::AllNames => regex.names().values().map(|number| numbered(*number)).collect(),
        Capture::These(these) => {
            let one = |which: &Term| -> Outcome {
                if let Some(number) = which.as_usize() {
                    return Ok(numbered(number));
                }
                let name = match which.as_atom() {
                    Some(atom) => atom.text().to_owned(),
                    None => super::unicode::text(which)?,
                };
                Ok(regex.names().get(&name).map_or_else(|| show(None), |number| numbered(*number)))
            };
            these.iter().map(one).collect::<Result<_, _>>()?
        }
    };
    Ok(Some(Term::list(items)))
}

/// A replacement taken apart.
enum Part {
    Text(Vec<u8>),
    Group(usize),
}

fn parts(replacement: &[u8]) -> Result<Vec<Part>, Raise> {
    let mut parts = Vec::new();
    let mut text = Vec::new();
    let mut at = 0;
    let number = |mut at: usize| {
        let start = at;
        while replacement.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let digits = std::str::from_utf8(&replacement[start..at]).ok()?;
        Some((digits.parse::<usize>().ok()?, at))
    };
    while let Some(&byte) = replacement.get(at) {
        let group = match (byte, replacement.get(at + 1)) {
            (b'&', _) => Some((0, at + 1)),
            (b'\\', Some(b'1'..=b'9')) => number(at + 1),
            (b'\\', Some(b'g')) if replacement.get(at + 2) == Some(&b'{') => number(at + 3)
                .filter(|(_, end)| replacement.get(*end) == Some(&b'}'))
                .map(|(number, end)| (number, end + 1)),
            (b'\\', Some(b'g')) => number(at + 2),
            _ => None,
        };
        if let Some((number, end)) = group {
            if !text.is_empty() {
                parts.push(Part::Text(std::mem::take(&mut text)));
            }
            parts.push(Part::Group(number));
            at = end;
        } else if byte == b'\\' && replacement.get(at + 1) == Some(&b'g') {
            return Err(Raise::badarg());
        } else if byte == b'\\' && at + 1 < replacement.len() {
            text.push(replacement[at + 1]);
            at += 2;
        } else {
            text.push(byte);
            at += 1;
        }
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    Ok(parts)
}

/// All matches, or the first one only.
fn matches_of(regex: &Regex, subject: &Subject, settings: &Settings) -> Result<Vec<Found>, Raise> {
    if settings.global {
        return find_all(regex, subject, settings);
    }
    let start = subject.unit_at(settings.offset)?;
    Ok(find(regex, subject, start, settings.matching)?.into_iter().collect())
}

/// Binaries in a list, as the kind of text that was asked for.
fn returned(pieces: Vec<Term>, tail: Term, kind: Kind, unicode: bool) -> Outcome {
    let iodata = Term::list_with_tail(pieces, tail);
    match kind {
        Kind::Iodata | Kind::Index => Ok(iodata),
        Kind::Binary => super::convert::iolist(&iodata),
        Kind::List => {
            let binary = super::convert::iolist(&iodata)?;
            let bytes = arg(binary.as_bits())?.to_bytes();
            text_list(&bytes, unicode)
        }
    }
}

fn text_list(bytes: &[u8], unicode: bool) -> Outcome {
    if unicode {
        return Ok(Term::string(arg(std::str::from_utf8(bytes).ok())?));
    }
    Ok(list_of(&bytes.iter().map(|byte| u32::from(*byte)).collect::<Vec<_>>()))
}

/// `re:replace/4` for replacements that are text.
fn replace(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let settings = Settings::of(Some(&args[3]), Kind::Iodata)?;
    let regex = pattern(&args[1], &settings)?;
    let unicode = regex.options().unicode;
    let subject = Subject::of(&args[0], unicode)?;
    let parts = parts(&bytes_of(&args[2], unicode)?)?;
    let literal = matches!(parts[..], [Part::Text(_)]);
    let all = matches_of(&regex, &subject, &settings)?;
    if all.is_empty() && settings.kind == Kind::Iodata {
        return Ok(args[0].clone());
    }
    let mut pieces = Vec::new();
    let mut at = 0;
    for found in &all {
        let (from, to) = found[0].expect("the whole");
        if at < from {
            pieces.push(subject.piece(at, from, Kind::Binary));
        }
        let mut filled: Vec<Term> = parts
            .iter()
            .map(|part| match part {
                Part::Text(text) => Term::binary(text),
                Part::Group(number) => match found.get(*number).copied().flatten() {
                    Some((from, to)) => subject.piece(from, to, Kind::Binary),
                    None => Term::binary(&[]),
                },
            })
            .collect();
        let only = if literal { filled.pop() } else { None };
        pieces.push(only.unwrap_or_else(|| Term::list(filled)));
        at = to;
    }
    let rest = subject.piece(at, subject.units.len(), Kind::Binary);
    let tail = if at < subject.units.len() { rest } else { Term::Nil };
    returned(pieces, tail, settings.kind, unicode)
}

/// For replacements by funs: `{Pieces, Kind}`, where a piece is text between matches or `{match, Whole, Groups}`.
fn pieces(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let settings = Settings::of(Some(&args[2]), Kind::Iodata)?;
    let regex = pattern(&args[1], &settings)?;
    let subject = Subject::of(&args[0], regex.options().unicode)?;
    let mut pieces = Vec::new();
    let mut at = 0;
    for found in matches_of(&regex, &subject, &settings)? {
        let (from, to) = found[0].expect("the whole");
        pieces.push(subject.piece(at, from, Kind::Binary));
        let text = |group: Option<(usize, usize)>| match group {
            Some((from, to)) => subject.piece(from, to, Kind::Binary),
            None => Term::binary(&[]),
        };
        let groups: Vec<Term> = (1..=regex.n_groups())
            .map(|number| text(found.get(number).copied().flatten()))
            .collect();
        pieces.push(Term::tuple([a!("match"), text(found[0]), Term::list(groups)]));
        at = to;
    }
    pieces.push(subject.piece(at, subject.units.len(), Kind::Binary));
    let kind = match settings.kind {
        Kind::List if subject.unicode => a!("characters"),
        Kind::List => a!("list"),
        Kind::Binary => a!("binary"),
        _ => a!("iodata"),
    };
    Ok(Term::tuple([Term::list(pieces), kind]))
}

fn split(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut settings = Settings::of(args.get(2), Kind::Binary)?;
    settings.global = true;
    if settings.kind == Kind::Iodata {
        settings.kind = Kind::Binary;
    }
    let regex = pattern(&args[1], &settings)?;
    let subject = Subject::of(&args[0], regex.options().unicode)?;
    let show = |from: usize, to: usize| subject.piece(from, to, settings.kind);
    let mut rows: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut at = 0;
    let all = find_all(&regex, &subject, &settings)?;
    let n_matches = all.len();
    for found in all {
        if settings.parts.is_some_and(|parts| rows.len() + 1 >= parts) {
            break;
        }
        let (from, to) = found[0].expect("the whole");
        let groups_empty = found[1..].iter().all(|group| group.is_none_or(|(from, to)| from == to));
        if from == at && to == from && groups_empty {
            continue;
        }
        let group = |number: usize| found.get(number).copied().flatten().unwrap_or((0, 0));
        let mut row = vec![(at, from)];
        row.extend((1..=regex.n_groups()).map(group));
        rows.push(row);
        at = to;
    }
    rows.push(vec![(at, subject.units.len())]);
    let is_empty = |row: &Vec<(usize, usize)>| row.iter().all(|(from, to)| from == to);
    let texts = |row: Vec<(usize, usize)>| row.into_iter().map(|(from, to)| show(from, to));
    if settings.group {
        while settings.trim && n_matches > 0 && rows.last().is_some_and(is_empty) {
            rows.pop();
        }
        let rows = rows.into_iter().map(|row| Term::list(texts(row).collect::<Vec<_>>()));
        return Ok(Term::list(rows.collect::<Vec<_>>()));
    }
    let mut flat: Vec<(usize, usize)> = rows.into_iter().flatten().collect();
    while settings.trim && n_matches > 0 && flat.last().is_some_and(|(from, to)| from == to) {
        flat.pop();
    }
    Ok(Term::list(texts(flat).collect::<Vec<_>>()))
}

fn inspect(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    arg(args[1].is_atom(atom!("namelist")).then_some(()))?;
    let Some([tag, ..]) = args[0].as_tuple() else { return Err(Raise::badarg()) };
    arg(tag.is_atom(atom!("re_pattern")).then_some(()))?;
    let regex = pattern(&args[0], &Settings::of(None, Kind::Index)?)?;
    let names = regex.names().keys().map(|name| Term::binary(name.as_bytes()));
    Ok(Term::tuple([a!("namelist"), Term::list(names.collect::<Vec<_>>())]))
}

fn version(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::binary(b"8.44 2020-02-12"))
}
