//! Labelled transition systems as files and quotients; properties of the mu-calculus, checked on the fly.
//! Why: what a system does from the outside is a graph of labels. Written to a file other tools read it; reduced, a person
//! can look at it; and whether "every request is answered even if clients die" holds is a formula over the labels.
//!
//! Reading order: [`Lts`], [`aut`], [`generate`] (a system becomes one), [`info`]; [`reduce`] and [`compare`]; then
//! [`formula`], [`solve`], [`patterns`].
//! Not here: files and clocks (the edges), what labels mean (front ends).

pub mod aut;
pub mod codes;
mod compare;
mod components;
pub mod dot;
mod explicit;
pub mod formula;
mod generate;
mod info;
mod labels;
mod lts;
pub mod patterns;
mod reduce;
mod sink;
mod solve;
mod space;
mod spelling;
mod traces;

pub use compare::{Comparison, DistinguishingTrace, compare};
pub use foresee_text::{Code, Diagnostic, Severity, Span};
pub use formula::{Formula, Notation};
pub use generate::{Generated, LabelOf, generate, generate_lts};
pub use info::{Info, Run, info};
pub use labels::{LabelId, Labels};
pub use lts::{Edge, Lts, LtsBuilder};
pub use reduce::{Equivalence, Quotient, reduce};
pub use sink::{Nowhere, Sink};
pub use solve::{Evidence, Solution, SubLts, solve, solve_within, unmatched_labels};
pub use spelling::without_blanks;
