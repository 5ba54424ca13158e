//! The options of `re`'s functions, for patterns, matches and results alike.

use crate::builtins::arg;
use crate::machine::Raise;
use crate::regex::{MatchOptions, Options};
use crate::term::Term;

/// How captured text comes back.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    Index,
    List,
    Binary,
    Iodata,
}

/// Which groups come back.
pub(super) enum Capture {
    All,
    AllButFirst,
    AllNames,
    First,
    None,
    These(Vec<Term>),
}

pub(super) struct Settings {
    pub(super) pattern: Options,
    /// Some option belongs to patterns only, so a compiled one cannot take it.
    pub(super) for_patterns: bool,
    pub(super) matching: MatchOptions,
    pub(super) global: bool,
    pub(super) offset: usize,
    pub(super) capture: Capture,
    pub(super) kind: Kind,
    /// `re:split`: parts at most, groups apart, empty parts at the end dropped.
    pub(super) parts: Option<usize>,
    pub(super) group: bool,
    pub(super) trim: bool,
}

impl Settings {
    pub(super) fn of(options: Option<&Term>, kind: Kind) -> Result<Settings, Raise> {
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
                return Err(Raise::unmodelled(format!("option {name} of a regular expression")));
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
                return Err(Raise::unmodelled(what));
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
