//! The reference passes every test; of its zoo, one specimen in five is tried here: mistakes are found, innocent variants pass.
//! `FORESEE_ZOO_TURN=0…4` chooses which; `cargo xtask zoo` tries all.

#![allow(clippy::disallowed_methods, reason = "a test that is told its turn")]

use foresee_labs::{SpecimenKind, Status, Switch, carry_out, hunt};

#[test]
fn the_reference_passes_every_test() {
    let reference = foresee_lab4::reference();
    let lab = (reference.make)(Switch::off());
    for test in &lab.tests {
        let result = carry_out(&reference.plain_name(), test, 0);
        let (number, message) = (test.number, &result.message);
        assert_eq!(result.status, Status::Passed, "{number}: {:?} {message}", result.property);
    }
}

#[test]
fn mistakes_are_found_and_innocents_pass() {
    let reference = foresee_lab4::reference();
    let turn = std::env::var("FORESEE_ZOO_TURN").ok().and_then(|turn| turn.parse().ok());
    for specimen in reference.zoo.iter().skip(turn.unwrap_or(0)).step_by(5) {
        let found = hunt(&reference, specimen, 0, |_| true);
        let number = found.map(|found| found.result.number.to_string());
        let is_innocent = specimen.kind == SpecimenKind::Innocent;
        assert_eq!(number.is_none(), is_innocent, "{}: {number:?}", specimen.id);
    }
}
