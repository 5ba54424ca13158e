//! What cannot be translated, as data: a code, the place in the Erlang text, what to do.
//! Each code is one entry here, one page under `docs/diagnostics`, and one test that produces it.
//! A diagnostic carries the texts it points into, as problems of loading do, so one way of showing serves both.

use foresee_erlang::Problem;
use foresee_erlang_syntax::{Code, Diagnostic as Words, Sources, Span};

/// One piece of bad news: what is wrong, where, and the texts.
pub type Diagnostic = Problem;

foresee_text::codes! { pub(crate),
    NO_VALUE "E0601" "A kind of value or expression that has no translation";
    NO_FUNCTION "E0602" "A call of a function that has no translation";
    NO_TREE "E0603" "The supervision tree cannot be evaluated";
    NO_CHILD "E0604" "A child that is neither a generic server nor a client";
    TIMED "E0605" "Time has no translation";
    EFFECT_IN_VALUE "E0606" "Something others can notice where only a value can stand";
    NO_CRASH "E0607" "This process cannot be made to crash";
    NO_SERVER "E0608" "A message to a process that is no server of the tree";
    BIG_NUMBER "E0609" "A number too large to be written out";
    BAD_CALLBACK "E0610" "A callback is missing or its result is not understood";
}

/// A diagnostic at a place of these texts.
pub(crate) fn problem(
    code: Code,
    sources: &Sources,
    span: Span,
    message: impl Into<String>,
    help: impl Into<String>,
) -> Diagnostic {
    Problem { diagnostic: Words::error(code, span, message).help(help), sources: sources.clone() }
}
