//! The codes of what can be wrong with a specification.
//! Each code is one entry here, one page under `docs/diagnostics`, and one test that produces it.
//! Not here: diagnostics themselves ([`foresee_text`]), and how they are shown (the edges).

pub use foresee_text::{Code, Diagnostic};

foresee_text::codes! { pub(crate),
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
