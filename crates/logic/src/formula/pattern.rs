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

    /// Whether the whole text matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        let n = self.items.len();
        let mut places = vec![false; n + 1];
        places[0] = true;
        self.skip_repeated(&mut places);
        for character in text.chars() {
            let mut next = vec![false; n + 1];
            for (at, item) in self.items.iter().enumerate() {
                if places[at] && item.one.matches(character) {
                    next[if item.repeats { at } else { at + 1 }] = true;
                }
            }
            self.skip_repeated(&mut next);
            places = next;
        }
        places[n]
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
