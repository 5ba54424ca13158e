//! Ready properties: a name and arguments become a formula.
//! Why: most of what people want to know is one of a dozen questions, and some of these are easy to ask wrongly. Each
//! pattern is a row of [`ALL`] with a page that has its formula, an example that is tested, and the trap to avoid.
//! Arguments are labels: in single quotes with wildcards, in double quotes exactly, combined with `or`, `and`, `not`; what is
//! given without quotes is taken for a pattern (`use(.*)`). Some arguments are numbers.

use crate::formula::{Notation, parse};
use crate::{Diagnostic, Span, codes};
use foresee_stdx::nearest_name;

/// A ready property.
pub struct Pattern {
    /// As it is typed: `mutual-exclusion`.
    pub name: &'static str,
    pub arguments: &'static [Argument],
    /// One line.
    pub summary: &'static str,
    /// The page that explains it, as Markdown.
    pub page: &'static str,
    build: fn(&[&str]) -> String,
}

/// What a pattern is given.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Argument {
    pub name: &'static str,
    pub kind: ArgumentKind,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ArgumentKind {
    /// A set of labels.
    Actions,
    Number,
}

const fn actions(name: &'static str) -> Argument {
    Argument { name, kind: ArgumentKind::Actions }
}

const fn number(name: &'static str) -> Argument {
    Argument { name, kind: ArgumentKind::Number }
}

macro_rules! patterns {
    ($($name:literal [$($argument:expr),*] $summary:literal $build:expr;)*) => {
        /// Every pattern.
        pub const ALL: &[Pattern] = &[$(Pattern {
            name: $name,
            arguments: &[$($argument),*],
            summary: $summary,
            page: include_str!(concat!("../../../docs/patterns/", $name, ".md")),
            build: $build,
        }),*];
    };
}

patterns! {
    "deadlock-freedom" []
        "something can always happen"
        |_| "[-*] <-> true".to_owned();
    "deadlock-freedom-while-crashed" [number("crashes"), actions("crash")]
        "something other than a crash can happen as long as no more than so many crashed"
        |a| format!("[{}] <not {}> true", at_most(a[0], a[1]), a[1]);
    "mutual-exclusion" [actions("enter"), actions("leave")]
        "nobody enters while somebody is inside"
        |a| format!("[-* . {} . (not {})* . {}] false", a[0], a[1], a[0]);
    "crash-tolerant-mutual-exclusion" [actions("enter"), actions("leave"), actions("gone")]
        "nobody enters while somebody is inside who is known to be alive"
        |a| format!("[-* . {} . (not ({} or {}))* . {}] false", a[0], a[1], a[2], a[0]);
    "between" [actions("first"), actions("middle"), actions("last")]
        "between a first and a last action there is one in the middle"
        |a| format!("[-* . {} . (not {})* . {}] false", a[0], a[1], a[2]);
    "between-unless" [actions("first"), actions("middle"), actions("excuse"), actions("last")]
        "between a first and a last action there is one in the middle, or an excuse"
        |a| format!("[-* . {} . (not ({} or {}))* . {}] false", a[0], a[1], a[2], a[3]);
    "response" [actions("request"), actions("answer")]
        "every request is answered, whatever happens"
        |a| format!("[-* . {}] mu X . (<-> true and [not {}] X)", a[0], a[1]);
    "fair-response" [actions("request"), actions("answer")]
        "every request can still be answered until it is"
        |a| format!("[-* . {} . (not {})*] <-* . {}> true", a[0], a[1], a[1]);
    "precedence" [actions("cause"), actions("effect")]
        "there is no effect before the first cause"
        |a| format!("[(not {})* . {}] false", a[0], a[1]);
    "non-starvation" [actions("request"), actions("grant"), actions("own_crash"), actions("crash")]
        "every request is granted unless its client crashes, and crashes are not the only way on"
        |a| format!(
            "[(not {})* . {}] mu X . (<not {}> true and [not ({} or {})] X)",
            a[2], a[0], a[3], a[1], a[2]
        );
    "always-possible" [actions("action")]
        "the action is possible in every state"
        |a| format!("[-*] <{}> true", a[0]);
    "always-reachable" [actions("action")]
        "from every state there is a way to the action"
        |a| format!("[-*] <-* . {}> true", a[0]);
    "inevitable" [actions("action")]
        "sooner or later the action happens"
        |a| format!("mu X . (<-> true and [not {}] X)", a[0]);
}

impl Pattern {
    /// The formula for arguments, in the paper's notation.
    pub fn formula(&self, arguments: &[&str]) -> Result<String, Diagnostic> {
        if arguments.len() != self.arguments.len() {
            let message = format!(
                "`{}` takes {} arguments and is given {}",
                self.name,
                self.arguments.len(),
                arguments.len()
            );
            return Err(self.wrong(message));
        }
        let mut texts = Vec::new();
        for (argument, given) in self.arguments.iter().zip(arguments) {
            texts.push(match argument.kind {
                ArgumentKind::Number => self.number(argument, given)?,
                ArgumentKind::Actions => self.actions(argument, given)?,
            });
        }
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        Ok((self.build)(&texts))
    }

    /// The name with its arguments, as in the help.
    pub fn usage(&self) -> String {
        let names: Vec<&str> = self.arguments.iter().map(|one| one.name).collect();
        format!("{}({})", self.name, names.join(", "))
    }

    fn number(&self, argument: &Argument, given: &str) -> Result<String, Diagnostic> {
        match given.trim().parse::<u32>() {
            Ok(number) if number <= 1000 => Ok(number.to_string()),
            _ => {
                let message =
                    format!("`{}` must be a number up to 1000, not `{given}`", argument.name);
                Err(self.wrong(message))
            }
        }
    }

    /// The argument as an action formula; what is none by itself is taken for a label pattern.
    fn actions(&self, argument: &Argument, given: &str) -> Result<String, Diagnostic> {
        let given = given.trim();
        let is_word = given.chars().all(|c| c.is_alphanumeric() || c == '_');
        if is_word && !given.is_empty() && !matches!(given, "true" | "false" | "tau") {
            return Ok(format!("\"{given}\""));
        }
        let is_actions =
            |text: &str| parse(&format!("[not ({text})] true"), Notation::Paper).formula.is_some();
        if is_actions(given) {
            let is_single = given.len() > 1
                && given.matches(['\'', '"']).count() == 2
                && given.starts_with(['\'', '"'])
                && given.ends_with(['\'', '"']);
            let is_atom = is_single || matches!(given, "-" | "true" | "false" | "tau");
            return Ok(if is_atom { given.to_owned() } else { format!("({given})") });
        }
        let quoted = format!("'{given}'");
        let has_quotes = given.contains(['\'', '"']);
        match !given.is_empty() && !has_quotes && is_actions(&quoted) {
            true => Ok(quoted),
            false => {
                let message = format!("`{}` is no set of labels: `{given}`", argument.name);
                Err(self.wrong(message))
            }
        }
    }

    fn wrong(&self, message: String) -> Diagnostic {
        let help = format!("it is used as `{}`", self.usage());
        Diagnostic::error(codes::PATTERN_ARGUMENTS, Span::NONE, message).help(help)
    }
}

/// The formula for `name(argument, …)` as a user types it.
///
/// ```
/// use foresee_logic::patterns;
/// let formula = patterns::formula("mutual-exclusion(use(.*), 'free(.*)')").unwrap();
/// assert_eq!(formula, "[-* . 'use(.*)' . (not 'free(.*)')* . 'use(.*)'] false");
/// let unknown = patterns::formula("mutual_exclusoin(a, b)").unwrap_err();
/// assert_eq!(unknown.help[0], "did you mean `mutual-exclusion(enter, leave)`?");
/// ```
pub fn formula(typed: &str) -> Result<String, Diagnostic> {
    let typed = typed.trim();
    let (name, arguments) = match typed.find('(') {
        Some(open) if typed.ends_with(')') => {
            (&typed[..open], split_arguments(&typed[open + 1..typed.len() - 1]))
        }
        _ => (typed, Vec::new()),
    };
    let wanted = name.trim().replace('_', "-");
    match ALL.iter().find(|pattern| pattern.name == wanted) {
        Some(pattern) => pattern.formula(&arguments),
        None => {
            let near = nearest_name(&wanted, ALL.iter().map(|pattern| pattern.name));
            let near = ALL.iter().find(|pattern| Some(pattern.name) == near);
            let help = match near {
                Some(near) => format!("did you mean `{}`?", near.usage()),
                None => {
                    let names: Vec<&str> = ALL.iter().map(|pattern| pattern.name).collect();
                    format!("there are: {}", names.join(", "))
                }
            };
            let message = format!("there is no pattern `{}`", name.trim());
            Err(Diagnostic::error(codes::UNKNOWN_PATTERN, Span::NONE, message).help(help))
        }
    }
}

/// Sequences with at most so many of an action.
fn at_most(n: &str, action: &str) -> String {
    let n: u32 = n.parse().unwrap_or(2);
    let mut sequences = format!("(not {action})*");
    for _ in 0..n {
        sequences = format!("(not {action})* . ({action} . {sequences})?");
    }
    sequences
}

/// The parts between commas outside of quotes and brackets.
fn split_arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote) = (0i32, 0, None);
    for (at, character) in text.char_indices() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() || !parts.is_empty() {
        parts.push(last);
    }
    parts
}
