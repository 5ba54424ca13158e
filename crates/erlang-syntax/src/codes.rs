//! The catalogue of diagnostics of this crate: one entry per code, with a title and an explanation.
//! Why: enumerable things are data. A page per code is generated from this table (`docs/diagnostics`), and a test
//! checks that every code is produced by some case.

pub use foresee_text::Code;

/// What a code means, for `foresee explain`.
#[derive(Clone, Copy, Debug)]
pub struct Explanation {
    /// The code.
    pub code: Code,
    /// One line.
    pub title: &'static str,
    /// A paragraph or two.
    pub text: &'static str,
    /// Erlang text that produces it.
    pub example: &'static str,
}

macro_rules! codes {
    ($($name:ident $code:literal $title:literal $text:literal $example:literal;)*) => {
        $(#[doc = $title] pub(crate) const $name: Code = Code($code);)*
        /// Every code of this crate, in order.
        pub const ALL: &[Explanation] = &[$(
            Explanation { code: $name, title: $title, text: $text, example: $example },
        )*];
    };
}

/// The explanation of a code, if it is one of ours.
pub fn explain(code: &str) -> Option<&'static Explanation> {
    ALL.iter().find(|entry| entry.code.0 == code)
}

codes! {
    UNTERMINATED "E0101" "A string, quoted atom or character literal is not closed"
        "The closing quote is missing. Strings may span lines, so the text up to the next quote was swallowed; the message points at the quote that opened the literal."
        "-module(m).\nf() -> \"abc.\n";
    BAD_ESCAPE "E0102" "A backslash escape stands for no character"
        "After `\\x` one expects two hexadecimal digits or `{digits}` naming a Unicode character (not a surrogate)."
        "-module(m).\nf() -> \"\\x{110000}\".\n";
    BAD_NUMBER "E0103" "A number is malformed or out of range"
        "Bases go from 2 to 36 and digits must fit the base (`16#ff`). Underscores stand between two digits. Floats need digits on both sides of the dot and must fit a double."
        "-module(m).\nf() -> 37#12.\n";
    BAD_CHARACTER "E0104" "A character that starts no token"
        "Outside of strings, quoted atoms and comments only letters, digits and Erlang's punctuation may occur."
        "-module(m).\nf() -> 1 ; § 2.\n";
    BAD_TRIPLE_QUOTED "E0105" "A triple-quoted string is laid out wrongly"
        "The opening quotes end their line, the closing quotes stand on a line of their own, and every line between is indented at least as far as the closing quotes."
        "-module(m).\nf() -> \"\"\"\n  a\n b\n  \"\"\".\n";
    BAD_SIGIL "E0106" "An unknown sigil"
        "The sigils are `~`, `~b`, `~B` (binaries) and `~s`, `~S` (strings), followed by a delimiter such as `\"`, `(`, `[`, `{`, `<`, `/` or `|`."
        "-module(m).\nf() -> ~q\"x\".\n";
    UNDEFINED_MACRO "E0110" "A macro is used but not defined"
        "`?NAME` needs a `-define(NAME, …)` before its use, in this file or in an included one, or a definition on the command line."
        "-module(m).\nf() -> ?LIMIT.\n";
    MACRO_ARGUMENTS "E0111" "A macro is used with the wrong number of arguments"
        "Macros may be overloaded by their number of arguments; there is no definition with this many."
        "-module(m).\n-define(ADD(A, B), A + B).\nf() -> ?ADD(1).\n";
    MACRO_RECURSION "E0112" "A macro expands to itself"
        "The expansion of the macro contains a use of the same macro and would never end."
        "-module(m).\n-define(A, ?B).\n-define(B, ?A).\nf() -> ?A.\n";
    BAD_DIRECTIVE "E0113" "A preprocessor directive is malformed"
        "The shapes are `-define(NAME, text).`, `-define(NAME(A, B), text).`, `-undef(NAME).`, `-ifdef(NAME).`, `-ifndef(NAME).`, `-if(Condition).`, `-elif(Condition).`, `-else.`, `-endif.`, `-include(\"file\").`, `-include_lib(\"app/include/file\").`"
        "-module(m).\n-define(3, x).\n";
    BAD_CONDITIONAL "E0114" "Conditionals do not match"
        "Every `-ifdef`, `-ifndef` or `-if` needs one `-endif` in the same file, with at most one `-else` between."
        "-module(m).\n-ifdef(X).\nf() -> ok.\n";
    INCLUDE_NOT_FOUND "E0115" "An include file was not found"
        "The file of `-include` is looked for beside the including file and in the include path; `-include_lib(\"app/…\")` names an application first."
        "-module(m).\n-include(\"missing.hrl\").\n";
    ERROR_DIRECTIVE "E0116" "An -error directive was reached"
        "The source itself asks for compilation to stop here."
        "-module(m).\n-error(\"no\").\n";
    WARNING_DIRECTIVE "E0117" "A -warning directive was reached"
        "The source itself asks for this warning."
        "-module(m).\n-warning(\"old\").\n";
    MACRO_REDEFINED "E0118" "A macro is defined twice"
        "Use `-undef(NAME).` before defining a macro again. Predefined macros such as `?MODULE` cannot be redefined."
        "-module(m).\n-define(A, 1).\n-define(A, 2).\n";
    EXPANSION_LIMIT "E0119" "Macro expansion or includes grow without bound"
        "The text produced by macros (or the nesting of include files) passed the limit that guards against runaway expansion."
        "-module(m).\n-define(A, ?B,?B,?B,?B,?B,?B,?B,?B).\n-define(B, ?C,?C,?C,?C,?C,?C,?C,?C).\n-define(C, ?D,?D,?D,?D,?D,?D,?D,?D).\n-define(D, ?E,?E,?E,?E,?E,?E,?E,?E).\n-define(E, ?F,?F,?F,?F,?F,?F,?F,?F).\n-define(F, ?G,?G,?G,?G,?G,?G,?G,?G).\n-define(G, 1,1,1,1,1,1,1,1).\nf() -> {?A}.\n";
    UNEXPECTED "E0120" "Something else was expected here"
        "The text does not fit the grammar at this point."
        "-module(m).\nf() -> 1 2.\n";
    MISSING_END "E0121" "A block is not closed by `end`"
        "`begin`, `case`, `if`, `fun`, `maybe`, `receive` and `try` are closed by `end`."
        "-module(m).\nf(X) -> case X of 1 -> ok.\n";
    UNBALANCED "E0122" "Brackets do not match"
        "Every `(`, `[`, `{` and `<<` is closed by its partner, inside the same form."
        "-module(m).\nf() -> [1, 2.\n";
    MISSING_ARROW "E0123" "`->` is missing"
        "Between the head of a clause and its body stands `->`."
        "-module(m).\nf(X) X.\n";
    STRAY_SEPARATOR "E0124" "A separator too many, too few, or the wrong one"
        "Expressions are separated by `,`, clauses by `;`, forms end with `.`. Nothing separates the last element from what closes it."
        "-module(m).\nf() -> ok,.\n";
    FOREIGN_OPERATOR "E0125" "An operator of another language"
        "Erlang writes `=<`, `/=`, `=:=`, `andalso`, `orelse`, `rem` where other languages write `<=`, `!=`, `===`, `&&`, `||`, `%`."
        "-module(m).\nf(X) -> X != 1.\n";
    MISSING_DOT "E0126" "A form does not end with a full stop"
        "Every attribute and function ends with `.` followed by white space."
        "-module(m).\nf() -> ok\n\ng() -> ok.\n";
    RESERVED_WORD "E0127" "A reserved word is used as a name"
        "Reserved words such as `end`, `after`, `receive` or `maybe` are atoms only in single quotes."
        "-module(m).\nf() -> {after, 1}.\n";
    CHAINED_COMPARISON "E0128" "Comparisons do not chain"
        "`A < B < C` has no meaning in Erlang; write `A < B andalso B < C`."
        "-module(m).\nf(A) -> 1 < A < 3.\n";
    HEAD_MISMATCH "E0129" "Clauses of one function differ in name or number of arguments"
        "Clauses separated by `;` belong to one function. To start another function, end the previous one with `.`."
        "-module(m).\nf(1) -> a;\ng(2) -> b.\n";
    BAD_ATTRIBUTE "E0130" "An attribute has the wrong shape"
        "For example `-module(name).`, `-export([f/1]).`, `-record(name, {field = Default :: type()}).`"
        "-module(m).\n-export(f).\n";
    BAD_SEGMENT "E0132" "A binary segment has an unknown or repeated option"
        "Options are a type (`integer`, `float`, `binary`, `bytes`, `bitstring`, `bits`, `utf8`, `utf16`, `utf32`), a sign, an endianness and `unit:1..256`, joined by `-`."
        "-module(m).\nf() -> <<1/interger>>.\n";
    NEEDS_PARENTHESES "E0133" "Parentheses are needed here"
        "The result of a call can be called, indexed as a record or updated as a map only in parentheses: `(f())(1)`, `(f())#r.a`."
        "-module(m).\nf() -> g()(1).\n";
    BAD_PATTERN "E0134" "This cannot be a pattern"
        "Patterns are built from variables, literals, tuples, lists, maps, records, binaries, `=`, `++` after a literal string, and constant arithmetic."
        "-module(m).\nf(g(X)) -> X.\n";
    BAD_GUARD "E0135" "This cannot stand in a guard"
        "Guards are built from terms, comparisons, arithmetic, boolean operators and the guard functions (`is_atom/1`, `length/1`, …); they cannot call other functions."
        "-module(m).\nf(X) when g(X) -> X.\ng(X) -> X.\n";
    TOO_DEEP "E0136" "An expression is nested too deeply"
        "Expressions may be nested a few hundred levels deep, far more than readable code needs."
        "";
    PARSE_TRANSFORM "E0137" "A parse transform could not be run"
        "The module asks, with `-compile({parse_transform, Name})` or through its project's `erl_opts`, for its text to be rewritten before it is compiled. A transform whose text is in the project or among its dependencies is run. This one is not there, or could not be run to its end, and what it would have made of the text nobody knows, so the module is refused rather than read as if nothing had been said. Known, and done in another way, are `eunit_autoexport` (tests are exported, `test/0` is added) and `ms_transform` (`ets:fun2ms(fun …)` becomes a match specification). Have the dependency beside the project (`rebar3 get-deps`, `_checkouts`), give the module as the transform leaves it (`erlc -P m.erl` writes `m.P`), or keep the option out of the check, for example between `-ifndef(CHECKED).` and `-endif.` with `-D CHECKED`."
        "";
    MODULE_NAME "E0150" "The module has no name, or two"
        "The first form of a module is `-module(name).`"
        "f() -> ok.\n";
    REDEFINED_FUNCTION "E0151" "A function is defined twice"
        "All clauses of a function stand together, separated by `;`."
        "-module(m).\nf() -> 1.\ng() -> 2.\nf() -> 3.\n";
    UNDEFINED_FUNCTION "E0152" "A function is called but not defined"
        "A call without a module names a function of this module, an imported one, or an auto-imported function of `erlang`."
        "-module(m).\nf() -> hlep().\nhelp() -> ok.\n";
    WRONG_ARITY "E0153" "A function is called with the wrong number of arguments"
        "Functions of one name and different numbers of arguments are different functions."
        "-module(m).\nf() -> g(1).\ng(A, B) -> {A, B}.\n";
    UNDEFINED_EXPORT "E0154" "A function is exported but not defined"
        "Every entry of `-export([…])` needs a definition in this module."
        "-module(m).\n-export([f/1]).\nf() -> ok.\n";
    UNDEFINED_RECORD "E0155" "A record is used but not defined"
        "A record needs a `-record(name, {…}).` before its use."
        "-module(m).\nf() -> #state{}.\n";
    UNDEFINED_FIELD "E0156" "A record has no such field"
        "The field is not listed in the record's definition."
        "-module(m).\n-record(state, {count}).\nf(S) -> S#state.cuont.\n";
    UNBOUND_VARIABLE "E0157" "A variable has no value here"
        "A variable is bound by a pattern (a function head, `=`, a `case` clause …) before it is used."
        "-module(m).\nf() -> X.\n";
    UNSAFE_VARIABLE "E0158" "A variable may have no value here"
        "The variable is bound in some branches only, so it cannot be used after them. Return the value from the branches instead: `X = case … end`."
        "-module(m).\nf(A) -> case A of 1 -> B = 1; _ -> ok end, B.\n";
    REDEFINED_RECORD "E0159" "A record is defined twice, or a field occurs twice"
        "Record names are unique in a module and field names in a record."
        "-module(m).\n-record(r, {a}).\n-record(r, {b}).\n";
    SPEC_UNDEFINED "E0161" "A spec for a function that is not defined"
        "The `-spec` names a function and a number of arguments that this module does not define."
        "-module(m).\n-spec f(integer()) -> ok.\ng() -> ok.\n";
}
