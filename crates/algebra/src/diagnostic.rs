//! Bad news about a specification, as data: what is wrong, where, and what to do about it.
//! Each code is one entry here, one page under `docs/diagnostics`, and one test that produces it.
//! Not here: how it is shown (the edges).

use crate::source::{Lines, Span};
use std::fmt;

/// A stable code.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Code(pub &'static str);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

macro_rules! codes {
    ($($name:ident $code:literal $title:literal;)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = Code($code);)*
        /// Every code of this crate with its title, in order.
        pub const ALL_CODES: &[(Code, &str)] = &[$(($name, $title),)*];
    };
}

codes! {
    SYNTAX "E0501" "The text is not muCRL";
    UNKNOWN_NAME "E0502" "A name is not declared";
    WRONG_SORTS "E0503" "Arguments of the wrong sorts or number";
    UNGUARDED "E0504" "A process calls itself without an action in between";
    BAD_RULE "E0505" "A rewrite rule that is not one";
    NO_NORMAL_FORM "E0506" "Rewriting does not end";
    INFINITE_SUM "E0507" "A sum over infinitely many values that nothing determines";
    UNBOUND_VARIABLE "E0508" "A variable that nothing binds";
    BAD_COMMUNICATION "E0509" "Communication is not a function, or not associative";
    DECLARED_TWICE "E0510" "A name is declared twice";
    UNDECIDED_CONDITION "E0511" "A condition is neither true nor false";
    NO_INIT "E0512" "The specification does not say where it starts";
    GROWS "E0513" "A component starts processes inside itself without end";
}

/// One piece of bad news.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub struct Diagnostic {
    pub code: Code,
    pub span: Span,
    /// The headline.
    pub message: String,
    /// Other places that matter, with a few words each.
    pub secondary: Vec<(Span, String)>,
    /// What to do, one line each.
    pub help: Vec<String>,
}

impl Diagnostic {
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        let (secondary, help) = (Vec::new(), Vec::new());
        Diagnostic { code, span, message: message.into(), secondary, help }
    }

    /// Adds another place.
    #[must_use]
    pub fn also(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.secondary.push((span, message.into()));
        self
    }

    /// Adds a line of help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    /// Adds "did you mean" when a known name is near.
    #[must_use]
    pub fn suggest<'a>(self, name: &str, known: impl IntoIterator<Item = &'a str>) -> Diagnostic {
        match foresee_stdx::nearest_name(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self,
        }
    }

    /// The whole message as plain text: `path:line:column: E0501: …`, the line itself, and help.
    pub fn render(&self, path: &str, text: &str) -> String {
        let lines = Lines::new(text);
        let place = |span: Span| match lines.line_column(text, span) {
            Some((line, column)) => format!("{path}:{line}:{column}"),
            None => path.to_owned(),
        };
        let mut out = format!("{}: {}: {}\n", place(self.span), self.code, self.message);
        if let Some(line) = lines.line(self.span) {
            let source = text.lines().nth(line as usize - 1).unwrap_or("");
            out += &format!("  | {}\n", source.trim_end());
        }
        for (span, message) in &self.secondary {
            out += &format!("  note: {}: {message}\n", place(*span));
        }
        for help in &self.help {
            out += &format!("  help: {help}\n");
        }
        out
    }
}
