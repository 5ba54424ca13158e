//! Format strings: `~p`, `~5.2f` and the rest.
//! A directive is `~F.P.PadModC`: field width, precision, padding character, modifiers `t` and `l`, and the control
//! character. A negative width aligns to the left. Width, precision and padding may be `*`: taken from the arguments.

use crate::term::print::{self, Style};
use crate::term::{Term, number, pretty};

/// The text of `format` with `arguments`; `None` if they do not fit each other.
pub fn format(format: &str, arguments: &[Term]) -> Option<String> {
    let mut writer = Writer { out: String::new(), arguments: arguments.iter() };
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '~' {
            let directive = Directive::parse(&mut chars, &mut writer.arguments)?;
            writer.write(&directive)?;
        } else {
            writer.out.push(c);
        }
    }
    writer.arguments.next().is_none().then_some(writer.out)
}

#[derive(Debug)]
struct Directive {
    width: Option<i64>,
    precision: Option<usize>,
    pad: char,
    unicode: bool,
    /// `l`: no strings in `~p`.
    plain_lists: bool,
    control: char,
}

type Chars<'f> = std::iter::Peekable<std::str::Chars<'f>>;

impl Directive {
    fn parse<'a>(
        chars: &mut Chars<'_>,
        arguments: &mut impl Iterator<Item = &'a Term>,
    ) -> Option<Directive> {
        let width = number_or_star(chars, arguments)?;
        let mut precision = None;
        let mut pad = ' ';
        if chars.next_if_eq(&'.').is_some() {
            precision = number_or_star(chars, arguments)?;
            if chars.next_if_eq(&'.').is_some() {
                pad = match chars.next()? {
                    '*' => char::from_u32(u32::try_from(arguments.next()?.as_int()?).ok()?)?,
                    c => c,
                };
            }
        }
        let (mut unicode, mut plain_lists) = (false, false);
        loop {
            match chars.next()? {
                't' => unicode = true,
                'l' => plain_lists = true,
                'k' | 'K' => {}
                control => {
                    let precision = precision.map(usize::try_from).transpose().ok()?;
                    return Some(Directive {
                        width,
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

    fn style(&self, strings: bool) -> Style {
        Style { strings: strings && !self.plain_lists, unicode: self.unicode, wide: false }
    }
}

/// `None` inside is "not given"; `None` outside is an error.
fn number_or_star<'a>(
    chars: &mut Chars<'_>,
    arguments: &mut impl Iterator<Item = &'a Term>,
) -> Option<Option<i64>> {
    if chars.next_if_eq(&'*').is_some() {
        return Some(Some(arguments.next()?.as_int()?));
    }
    let mut text = String::new();
    if chars.next_if_eq(&'-').is_some() {
        text.push('-');
    }
    while let Some(digit) = chars.next_if(char::is_ascii_digit) {
        text.push(digit);
    }
    if text.is_empty() { Some(None) } else { Some(Some(text.parse().ok()?)) }
}

struct Writer<'a> {
    out: String,
    arguments: std::slice::Iter<'a, Term>,
}

impl Writer<'_> {
    fn write(&mut self, directive: &Directive) -> Option<()> {
        let width = directive.width.map(|width| width.unsigned_abs() as usize);
        match directive.control {
            '~' => self.repeated('~', width),
            'n' => self.repeated('\n', width),
            'i' => {
                self.arguments.next()?;
            }
            'c' => {
                let c = self.arguments.next()?.as_int()?;
                let c = if directive.unicode { c } else { c & 0xFF };
                let c = char::from_u32(u32::try_from(c).ok()?)?;
                let n = directive.precision.or(width).unwrap_or(1);
                let text = std::iter::repeat_n(c, n).collect();
                self.padded(text, directive);
            }
            's' => {
                let text = characters(self.arguments.next()?, directive.unicode)?;
                self.string(text, directive);
            }
            'w' => {
                let text = print::text(self.arguments.next()?, directive.style(false));
                self.term(text, directive);
            }
            'W' => {
                let (term, depth) = (self.arguments.next()?, self.arguments.next()?.as_int()?);
                let text = print::text(&limited(term, depth), directive.style(false));
                self.term(text, directive);
            }
            'p' => {
                let term = self.arguments.next()?;
                self.pretty(term, directive);
            }
            'P' => {
                let (term, depth) = (self.arguments.next()?, self.arguments.next()?.as_int()?);
                self.pretty(&limited(term, depth), directive);
            }
            'b' | 'B' => {
                let text = self.integer(directive)?;
                self.padded(text, directive);
            }
            'x' | 'X' => {
                let term = self.arguments.next()?.clone();
                let prefix = characters_or_atom(self.arguments.next()?)?;
                let digits = in_base(&term, directive)?;
                let (sign, digits) = split_sign(&digits);
                self.padded(format!("{sign}{prefix}{digits}"), directive);
            }
            '#' | '+' => {
                let base = directive.precision.unwrap_or(10);
                let digits = self.integer(directive)?;
                let (sign, digits) = split_sign(&digits);
                self.padded(format!("{sign}{base}#{digits}"), directive);
            }
            'e' | 'f' | 'g' => {
                let x = number::to_float(self.arguments.next()?)?;
                let text = float(x, directive)?;
                self.padded(text, directive);
            }
            _ => return None,
        }
        Some(())
    }

    fn repeated(&mut self, c: char, n: Option<usize>) {
        self.out.extend(std::iter::repeat_n(c, n.unwrap_or(1)));
    }

    fn integer(&mut self, directive: &Directive) -> Option<String> {
        let term = self.arguments.next()?;
        in_base(term, directive)
    }

    /// Numbers: too long for the field is all stars.
    fn padded(&mut self, text: String, directive: &Directive) {
        let n = text.chars().count();
        match directive.width {
            Some(width) if n as u64 > width.unsigned_abs() => {
                self.repeated('*', Some(width.unsigned_abs() as usize));
            }
            Some(width) => self.align(&text, width, directive.pad),
            None => self.out.push_str(&text),
        }
    }

    fn align(&mut self, text: &str, width: i64, pad: char) {
        let missing = (width.unsigned_abs() as usize).saturating_sub(text.chars().count());
        if width < 0 {
            self.out.push_str(text);
            self.repeated(pad, Some(missing));
        } else {
            self.repeated(pad, Some(missing));
            self.out.push_str(text);
        }
    }

    /// Strings: cut to the precision, or the field.
    fn string(&mut self, text: String, directive: &Directive) {
        let (width, precision) = match (directive.width, directive.precision) {
            (None, None) => return self.out.push_str(&text),
            (Some(width), None) => (width, width.unsigned_abs() as usize),
            (Some(width), Some(precision)) => (width, precision),
            (None, Some(precision)) => (precision as i64, precision),
        };
        let fits = precision.min(width.unsigned_abs() as usize);
        let cut: String = text.chars().take(fits).collect();
        // A precision narrower than the field is padded to itself first, then to the field.
        self.align(&cut, width, directive.pad);
    }

    /// Terms: cut off with stars.
    fn term(&mut self, text: String, directive: &Directive) {
        self.padded(text, directive);
    }

    fn pretty(&mut self, term: &Term, directive: &Directive) {
        let width = directive.width.map_or(80, |width| width.unsigned_abs() as usize);
        let line = self.out.rsplit('\n').next().unwrap_or_default();
        let column = directive.precision.map_or(line.chars().count(), |p| p.saturating_sub(1));
        let text = pretty::pretty(term, column, width, directive.style(true));
        self.out.push_str(&text);
    }
}

fn split_sign(digits: &str) -> (&str, &str) {
    match digits.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", digits),
    }
}

fn in_base(term: &Term, directive: &Directive) -> Option<String> {
    let base = u32::try_from(directive.precision.unwrap_or(10)).ok()?;
    if !(2..=36).contains(&base) {
        return None;
    }
    let text = number::to_base(term, base)?;
    let small = matches!(directive.control, 'b' | 'x' | '+');
    Some(if small { text.to_lowercase() } else { text })
}

fn float(x: f64, directive: &Directive) -> Option<String> {
    let precision = directive.precision.unwrap_or(6);
    match directive.control {
        'f' if precision > 0 => Some(fixed(x, precision)),
        'e' if precision > 1 => Some(scientific(x, precision - 1)),
        'g' => {
            let magnitude = x.abs();
            let plain = magnitude == 0.0 || (0.1..10_000.0).contains(&magnitude);
            if plain {
                let before = if magnitude >= 1000.0 {
                    4
                } else if magnitude >= 100.0 {
                    3
                } else if magnitude >= 10.0 {
                    2
                } else {
                    1
                };
                Some(fixed(x, precision.saturating_sub(before).max(1)))
            } else {
                (precision > 1).then(|| scientific(x, precision - 1))
            }
        }
        _ => None,
    }
}

fn fixed(x: f64, precision: usize) -> String {
    format!("{x:.precision$}")
}

/// `1.50000e+0`: the exponent has a sign and no leading zeros.
fn scientific(x: f64, digits: usize) -> String {
    let text = format!("{x:.digits$e}");
    match text.split_once('e') {
        Some((mantissa, exponent)) if !exponent.starts_with('-') => {
            format!("{mantissa}e+{exponent}")
        }
        _ => text,
    }
}

/// The text of something printable: deep lists of characters and binaries, or an atom.
pub fn characters(term: &Term, unicode: bool) -> Option<String> {
    if let Term::Atom(atom) = term {
        return Some(atom.text().to_owned());
    }
    let mut out = String::new();
    push_characters(&mut out, term, unicode)?;
    Some(out)
}

fn characters_or_atom(term: &Term) -> Option<String> {
    characters(term, true)
}

fn push_characters(out: &mut String, term: &Term, unicode: bool) -> Option<()> {
    match term {
        Term::Nil => Some(()),
        Term::Bits(bits) if bits.is_binary() => {
            let bytes = bits.to_bytes();
            match std::str::from_utf8(&bytes) {
                Ok(text) if unicode => out.push_str(text),
                _ => out.extend(bytes.iter().map(|byte| char::from(*byte))),
            }
            Some(())
        }
        Term::Cons(_) => {
            let mut cells = term.cells();
            for item in cells.by_ref() {
                match item {
                    Term::Int(c) => {
                        if !unicode && *c > 255 {
                            return None;
                        }
                        out.push(char::from_u32(u32::try_from(*c).ok()?)?);
                    }
                    _ => push_characters(out, item, unicode)?,
                }
            }
            push_characters(out, cells.rest(), unicode)
        }
        _ => None,
    }
}

/// The term with `...` where it goes deeper than `depth`.
fn limited(term: &Term, depth: i64) -> Term {
    if depth <= 0 {
        return a!(print::ELLIPSIS);
    }
    match term {
        Term::Cons(_) if print::printable_string(term, true).is_some() => term.clone(),
        Term::Cons(_) => {
            let mut items = Vec::new();
            let mut left = depth;
            let mut cells = term.cells();
            for item in cells.by_ref() {
                if left <= 1 {
                    return Term::list_with_tail(items, a!(print::ELLIPSIS));
                }
                items.push(limited(item, left - 1));
                left -= 1;
            }
            let rest = match cells.rest() {
                Term::Nil => Term::Nil,
                other => limited(other, left - 1),
            };
            Term::list_with_tail(items, rest)
        }
        Term::Tuple(tuple) => {
            let mut items = Vec::new();
            let mut left = depth;
            for item in tuple.items() {
                if left <= 1 {
                    items.push(a!(print::ELLIPSIS));
                    break;
                }
                items.push(limited(item, left - 1));
                left -= 1;
            }
            Term::tuple(items)
        }
        _ => term.clone(),
    }
}
