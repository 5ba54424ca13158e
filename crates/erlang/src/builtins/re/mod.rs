//! Module `re`: subjects, options and results of regular expressions; the matching itself is in `crate::regex`.
//! Places are bytes, of the subject in UTF-8 when `unicode` is on. A compiled pattern is `{re_pattern, N, Unicode, 0,
//! Binary}` as in Erlang; the binary holds the options and the text, and compiling is remembered, so using one costs a
//! look-up.
//! Not here: funs as replacements (`prelude/re.erl`).

mod options;
mod replace;

use super::{Builtin, Outcome, arg, pure};
use crate::machine::{Local, Raise};
use crate::regex::{Error, MatchOptions, Options, Regex};
use crate::term::Term;
use options::{Capture, Kind, Settings};
use parking_lot::Mutex;
use replace::{pieces, replace};
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
        Error::Unmodelled(what) => Raise::unmodelled(what),
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
        Err(Error::Unmodelled(what)) => Err(Raise::unmodelled(what)),
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
    let hard = |_| Raise::unmodelled("a regular expression that takes so many steps".to_owned());
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
