//! Sets of characters: `[a-z]`, `\d`, `[:alpha:]`, `\p{Lu}`.
//! Below 256 the sets are those of ISO 8859-1, as in Erlang; above, only Unicode properties (and `ucp`) say more.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange, HirKind};

/// A set of units, as sorted ranges that do not touch.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    ranges: Vec<(u32, u32)>,
}

/// The largest unit there is: patterns of bytes never see the others.
const HIGHEST: u32 = 0x10_FFFF;

impl Class {
    pub(super) fn of(ranges: &[(u32, u32)]) -> Class {
        let mut class = Class { ranges: ranges.to_vec() };
        class.normalise();
        class
    }

    pub(super) fn one(unit: u32) -> Class {
        Class { ranges: vec![(unit, unit)] }
    }

    pub(super) fn all() -> Class {
        Class { ranges: vec![(0, HIGHEST)] }
    }

    pub(super) fn contains(&self, unit: u32) -> bool {
        let after = self.ranges.partition_point(|(low, _)| *low <= unit);
        after > 0 && unit <= self.ranges[after - 1].1
    }

    /// The only unit, if there is just one.
    pub(super) fn single(&self) -> Option<u32> {
        match self.ranges[..] {
            [(low, high)] if low == high => Some(low),
            _ => None,
        }
    }

    pub(super) fn add(&mut self, other: &Class) {
        self.ranges.extend(&other.ranges);
        self.normalise();
    }

    pub(super) fn add_range(&mut self, low: u32, high: u32) {
        self.ranges.push((low, high));
        self.normalise();
    }

    pub(super) fn negated(&self) -> Class {
        let mut ranges = Vec::new();
        let mut next = 0;
        for (low, high) in &self.ranges {
            if next < *low {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= HIGHEST {
            ranges.push((next, HIGHEST));
        }
        Class { ranges }
    }

    pub(super) fn negated_if(self, negated: bool) -> Class {
        if negated { self.negated() } else { self }
    }

    /// With the other cases of its letters.
    pub(super) fn caseless(&self, unicode: bool) -> Class {
        if unicode {
            let ranges = self.ranges.iter().filter_map(|(low, high)| range(*low, *high)).flatten();
            let mut class = ClassUnicode::new(ranges);
            class.case_fold_simple();
            let mut folded = from_unicode(&class);
            folded.add(self);
            return folded;
        }
        let mut folded = self.clone();
        for unit in (0..=0xFF).filter(|unit| self.contains(*unit)) {
            if let Some(other) = other_case(unit) {
                folded.ranges.push((other, other));
            }
        }
        folded.normalise();
        folded
    }

    fn normalise(&mut self) {
        self.ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(self.ranges.len());
        for (low, high) in self.ranges.drain(..) {
            match merged.last_mut() {
                Some(last) if low <= last.1.saturating_add(1) => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        self.ranges = merged;
    }
}

/// The letter of the other case in ISO 8859-1.
fn other_case(unit: u32) -> Option<u32> {
    match unit {
        0x41..=0x5A | 0xC0..=0xD6 | 0xD8..=0xDE => Some(unit + 32),
        0x61..=0x7A | 0xE0..=0xF6 | 0xF8..=0xFE => Some(unit - 32),
        _ => None,
    }
}

/// Surrogates are no characters: a range around them falls in two.
fn range(low: u32, high: u32) -> Option<Vec<ClassUnicodeRange>> {
    let parts = [(low, high.min(0xD7FF)), (low.max(0xE000), high)];
    let chars = parts.into_iter().filter(|(low, high)| low <= high);
    chars
        .map(|(low, high)| {
            Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?))
        })
        .collect()
}

fn from_unicode(class: &ClassUnicode) -> Class {
    let ranges: Vec<(u32, u32)> =
        class.ranges().iter().map(|r| (u32::from(r.start()), u32::from(r.end()))).collect();
    Class::of(&ranges)
}

/// The set of a Unicode property, as PCRE names them.
pub(super) fn property(name: &str) -> Option<Class> {
    let spelled = match name {
        "Any" => return Some(Class::all()),
        "L&" => r"[\p{Lu}\p{Ll}\p{Lt}]".to_owned(),
        "Xan" => r"[\p{L}\p{N}]".to_owned(),
        "Xwd" => r"[\p{L}\p{N}_]".to_owned(),
        "Xsp" | "Xps" => r"[\p{Z}\t\n\x0B\x0C\r]".to_owned(),
        "Xuc" => r"[$@`\u{A0}-\u{D7FF}\u{E000}-\u{10FFFF}]".to_owned(),
        _ => format!(r"\p{{{name}}}"),
    };
    match regex_syntax::parse(&spelled).ok()?.kind() {
        HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => Some(from_unicode(class)),
        _ => None,
    }
}

const LETTERS: [(u32, u32); 8] = [
    (0x41, 0x5A),
    (0x61, 0x7A),
    (0xAA, 0xAA),
    (0xB5, 0xB5),
    (0xBA, 0xBA),
    (0xC0, 0xD6),
    (0xD8, 0xF6),
    (0xF8, 0xFF),
];

fn with(base: &[(u32, u32)], more: &[(u32, u32)]) -> Class {
    let mut class = Class::of(base);
    class.add(&Class::of(more));
    class
}

fn by_property(name: &str) -> Class {
    property(name).unwrap_or_else(|| unreachable!("{name} is a property of Unicode"))
}

pub(super) fn digit(properties: bool) -> Class {
    if properties { by_property("Nd") } else { Class::of(&[(0x30, 0x39)]) }
}

pub(super) fn space(properties: bool) -> Class {
    if properties { by_property("Xsp") } else { Class::of(&[(0x09, 0x0D), (0x20, 0x20)]) }
}

pub(super) fn word(properties: bool) -> Class {
    if properties { by_property("Xwd") } else { with(&LETTERS, &[(0x30, 0x39), (0x5F, 0x5F)]) }
}

pub(super) fn horizontal() -> Class {
    Class::of(&[
        (0x09, 0x09),
        (0x20, 0x20),
        (0xA0, 0xA0),
        (0x1680, 0x1680),
        (0x180E, 0x180E),
        (0x2000, 0x200A),
        (0x202F, 0x202F),
        (0x205F, 0x205F),
        (0x3000, 0x3000),
    ])
}

pub(super) fn vertical() -> Class {
    Class::of(&[(0x0A, 0x0D), (0x85, 0x85), (0x2028, 0x2029)])
}

/// The set of `[:name:]`.
pub(super) fn posix(name: &str, properties: bool) -> Option<Class> {
    let upper = [(0x41, 0x5A), (0xC0, 0xD6), (0xD8, 0xDE)];
    let lower =
        [(0x61, 0x7A), (0xAA, 0xAA), (0xB5, 0xB5), (0xBA, 0xBA), (0xDF, 0xF6), (0xF8, 0xFF)];
    Some(match name {
        "alpha" if properties => by_property("L"),
        "upper" if properties => by_property("Lu"),
        "lower" if properties => by_property("Ll"),
        "alnum" if properties => by_property("Xan"),
        "alpha" => Class::of(&LETTERS),
        "upper" => Class::of(&upper),
        "lower" => Class::of(&lower),
        "alnum" => with(&LETTERS, &[(0x30, 0x39)]),
        "digit" => digit(properties),
        "space" => space(properties),
        "word" => word(properties),
        "ascii" => Class::of(&[(0, 0x7F)]),
        "blank" if properties => horizontal(),
        "blank" => Class::of(&[(0x09, 0x09), (0x20, 0x20)]),
        "cntrl" => Class::of(&[(0, 0x1F), (0x7F, 0x9F)]),
        "graph" => Class::of(&[(0x21, 0x7E), (0xA0, 0xFF)]),
        "print" => Class::of(&[(0x20, 0x7E), (0xA0, 0xFF)]),
        "punct" => {
            let mut class = Class::of(&[(0x21, 0x7E), (0xA0, 0xFF)]);
            class.ranges = with(&LETTERS, &[(0x30, 0x39)]).complement_in(&class);
            class
        }
        "xdigit" => Class::of(&[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
        _ => return None,
    })
}

impl Class {
    /// The ranges of `whole` without those of `self`.
    fn complement_in(&self, whole: &Class) -> Vec<(u32, u32)> {
        let units = (0..=0xFF).filter(|unit| whole.contains(*unit) && !self.contains(*unit));
        let ranges: Vec<(u32, u32)> = units.map(|unit| (unit, unit)).collect();
        Class::of(&ranges).ranges
    }
}
