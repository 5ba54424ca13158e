//! Label patterns: what stands between single quotes in a formula.
//! As in CADP's basic regular expressions: `.` any character, `x*` any number of x, `[abc]`, `[a-z]`, `[^abc]`, `\x` for x
//! itself; everything else is itself, parentheses too, since labels are full of them. The whole label must match.
//! Matching keeps the set of places in the pattern, so no pattern is slow.

/// A compiled pattern.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Pattern {
    source: String,
    items: Vec<Item>,
}

#[derive(Clone, Debug, Eq, PartialEq)]
struct Item {
    one: One,
    repeats: bool,
}

/// What one character must be.
#[derive(Clone, Debug, Eq, PartialEq)]
enum One {
    Any,
    Exactly(char),
    Set { ranges: Vec<(char, char)>, negated: bool },
}

impl One {
    fn matches(&self, character: char) -> bool {
        match self {
            One::Any => true,
            One::Exactly(wanted) => *wanted == character,
            One::Set { ranges, negated } => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&character)) != *negated
            }
        }
    }
}

impl Pattern {
    /// Reads a pattern; the error is what is wrong with it.
    pub(crate) fn parse(source: &str) -> Result<Pattern, String> {
        let mut items: Vec<Item> = Vec::new();
        let mut rest = source.chars().peekable();
        while let Some(character) = rest.next() {
            let one = match character {
                '.' => One::Any,
                '*' => match items.last_mut() {
                    None => return Err("`*` repeats nothing".to_owned()),
                    Some(item) => {
                        item.repeats = true;
                        continue;
                    }
                },
                '[' => read_set(&mut rest)?,
                '\\' => match rest.next() {
                    Some('(' | ')' | '|') => {
                        let message = "groups and alternatives inside a label are not supported";
                        return Err(message.to_owned());
                    }
                    Some(character) => One::Exactly(character),
                    None => return Err("a backslash ends the pattern".to_owned()),
                },
                other => One::Exactly(other),
            };
            items.push(Item { one, repeats: false });
        }
        Ok(Pattern { source: source.to_owned(), items })
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// What the pattern must start with: its characters up to the first that is no plain letter of a name.
    pub(crate) fn literal_start(&self) -> &str {
        let end = self.source.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        &self.source[..end.unwrap_or(self.source.len())]
    }

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.places_after(text)[self.items.len()]
    }

    /// Whether some label of an action matches, whatever its arguments.
    pub(crate) fn fits_action(&self, name: &str, has_arguments: bool) -> bool {
        let n = self.items.len();
        if !has_arguments {
            return self.matches(name);
        }
        let mut places = self.places_after(&format!("{name}("));
        // Any text may follow: every later place can be reached.
        let Some(first) = places.iter().position(|is_here| *is_here) else { return false };
        places[first..].iter_mut().for_each(|is_here| *is_here = true);
        self.step(&places, ')')[n]
    }

    /// The places that can be reached by reading the text.
    fn places_after(&self, text: &str) -> Vec<bool> {
        let mut places = vec![false; self.items.len() + 1];
        places[0] = true;
        self.skip_repeated(&mut places);
        for character in text.chars() {
            places = self.step(&places, character);
        }
        places
    }

    fn step(&self, places: &[bool], character: char) -> Vec<bool> {
        let mut next = vec![false; places.len()];
        for (at, item) in self.items.iter().enumerate() {
            if places[at] && item.one.matches(character) {
                next[if item.repeats { at } else { at + 1 }] = true;
            }
        }
        self.skip_repeated(&mut next);
        next
    }

    /// What may occur any number of times may occur not at all.
    fn skip_repeated(&self, places: &mut [bool]) {
        for (at, item) in self.items.iter().enumerate() {
            if places[at] && item.repeats {
                places[at + 1] = true;
            }
        }
    }
}

/// Reads a set after its opening bracket.
fn read_set(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Result<One, String> {
    let negated = rest.next_if_eq(&'^').is_some();
    let mut ranges = Vec::new();
    loop {
        let from = match rest.next() {
            None => {
                return Err("the bracket `[` is not closed; write `\\[` for a bracket".to_owned());
            }
            Some(']') if !ranges.is_empty() => return Ok(One::Set { ranges, negated }),
            Some('\\') => rest.next().ok_or("a backslash ends the pattern")?,
            Some(character) => character,
        };
        let mut ahead = rest.clone();
        let to = match (ahead.next(), ahead.next()) {
            (Some('-'), Some(to)) if to != ']' => {
                *rest = ahead;
                to
            }
            _ => from,
        };
        ranges.push((from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::parse(pattern).unwrap().matches(text)
    }

    #[test]
    fn wildcards_repeat_and_parentheses_are_themselves() {
        assert!(matches("use(.*)", "use(c1)") && matches("use(.*)", "use()"));
        assert!(!matches("use(.*)", "reuse(c1)") && !matches("use(.*)", "use(c1)x"));
        assert!(matches(".*info.*", "info(locker,{EXIT,c1,EXIT})"));
        assert!(matches("", "") && !matches("", "a"));
        assert!(matches("a*b*", "aab") && matches("a*b*", "") && !matches("a*b*", "aba"));
        assert!(matches("c[12]", "c2") && !matches("c[12]", "c3"));
        assert!(matches("c[^1-3]*", "c987") && !matches("c[^1-3]", "c2"));
        assert!(matches("l(\\[a,b\\])", "l([a,b])") && matches("a\\.b", "a.b"));
        assert!(!matches("a\\.b", "axb") && matches("[]x]*", "]x]"));
    }

    #[test]
    fn a_pattern_fits_an_action_if_it_matches_a_label_of_it() {
        let fits = |pattern: &str, name, has_arguments| {
            Pattern::parse(pattern).unwrap().fits_action(name, has_arguments)
        };
        assert!(fits("use(.*)", "use", true) && fits(".*c1.*", "use", true));
        assert!(fits("use(c1,.*)", "use", true) && fits("u.*", "use", false));
        assert!(!fits("uze(.*)", "use", true) && !fits("use(.*)", "use", false));
        assert!(!fits("use(.*", "use", false) && !fits("use", "use", true));
        assert!(fits("use.*", "use", true) && !fits("use(c1", "use", true));
    }

    #[test]
    fn no_pattern_takes_long() {
        assert!(!matches(&"a*".repeat(200), &format!("{}b", "a".repeat(2000))));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for pattern in ["*a", "c[1", "c\\", "\\(a\\)"] {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
