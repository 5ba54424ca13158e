//! One directive of a format string, taken apart.

use super::field::Side;
use crate::term::Term;
use crate::term::print::Style;

pub(super) type Chars<'f> = std::iter::Peekable<std::str::Chars<'f>>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Directive {
    /// Never below zero: the sign says the side.
    pub(super) width: Option<i64>,
    pub(super) side: Side,
    pub(super) precision: Option<i64>,
    pub(super) pad: char,
    pub(super) unicode: bool,
    /// `l`: no strings in `~p`.
    pub(super) plain_lists: bool,
    pub(super) control: char,
}

impl Directive {
    /// What follows a `~`; stars take their numbers from the arguments.
    pub(super) fn parse(chars: &mut Chars<'_>, arguments: &mut &[Term]) -> Option<Directive> {
        let negative = chars.next_if_eq(&'-').is_some();
        let width = match (number(chars, arguments)?, negative) {
            (None, true) => return None,
            (width, true) => width.map(|width| -width),
            (width, false) => width,
        };
        let side = if width.is_some_and(|width| width < 0) { Side::Left } else { Side::Right };
        let precision =
            if chars.next_if_eq(&'.').is_some() { number(chars, arguments)? } else { None };
        let pad = if chars.next_if_eq(&'.').is_some() {
            match chars.next()? {
                '*' => char::from_u32(u32::try_from(take(arguments)?.as_int()?).ok()?)?,
                c => c,
            }
        } else {
            ' '
        };
        let width = width.map(i64::abs);
        let (mut unicode, mut plain_lists) = (false, false);
        loop {
            match chars.next()? {
                't' => unicode = true,
                'l' => plain_lists = true,
                control => {
                    return Some(Directive {
                        width,
                        side,
                        precision,
                        pad,
                        unicode,
                        plain_lists,
                        control,
                    });
                }
            }
        }
    }

    /// How many arguments it takes; `None` if there is no such directive.
    pub(super) fn n_arguments(&self) -> Option<usize> {
        match self.control {
            '~' | 'n' => Some(0),
            'w' | 'p' | 's' | 'e' | 'f' | 'g' | 'b' | 'B' | '+' | '#' | 'c' | 'i' => Some(1),
            'W' | 'P' | 'x' | 'X' => Some(2),
            _ => None,
        }
    }

    pub(super) fn style(&self, strings: bool) -> Style {
        Style { strings: strings && !self.plain_lists, unicode: self.unicode, wide: false }
    }
}

/// `None` inside is "not given"; `None` outside is an error.
fn number(chars: &mut Chars<'_>, arguments: &mut &[Term]) -> Option<Option<i64>> {
    if chars.next_if_eq(&'*').is_some() {
        return Some(Some(take(arguments)?.as_int()?));
    }
    let mut digits = String::new();
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        digits.push(digit);
    }
    if digits.is_empty() { Some(None) } else { Some(Some(digits.parse().ok()?)) }
}

fn take<'a>(arguments: &mut &'a [Term]) -> Option<&'a Term> {
    let (first, rest) = arguments.split_first()?;
    *arguments = rest;
    Some(first)
}
