//! A lab as a system with a name: `foresee check lab1 test=2.3`, and for a reference solution `bug=1a` and `variant=…`.
//! Because every test's world has such a name, a trace of a failure can be replayed and stepped like any other.

use crate::{Lab, Specimen, SpecimenKind, Switch};
use foresee_nodes::{Arguments, BuildOptions, Entry, Parameter, Runnable};

/// A reference solution that can be switched to make mistakes.
#[derive(Clone, Copy)]
pub struct ReferenceLab {
    pub id: &'static str,
    pub summary: &'static str,
    /// The lab on the reference with this switch.
    pub make: fn(Switch) -> Lab,
    pub zoo: &'static [Specimen],
}

impl ReferenceLab {
    /// What a user types for the reference with this specimen.
    pub fn system_name(&self, specimen: &Specimen) -> String {
        match specimen.kind {
            SpecimenKind::Innocent => format!("{} bug=none variant={}", self.id, specimen.id),
            _ => format!("{} bug={}{}", self.id, specimen.id, self.no_variant()),
        }
    }

    /// What a user types for the reference itself.
    pub fn plain_name(&self) -> String {
        let bug = if self.has(false) { " bug=none" } else { "" };
        format!("{}{bug}{}", self.id, self.no_variant())
    }

    /// The bug or variant that these arguments name.
    pub fn switch(&self, arguments: &Arguments) -> Switch {
        let chosen = |name: &str, has: bool| has.then(|| arguments.word(name));
        let words = [chosen("bug", self.has(false)), chosen("variant", self.has(true))];
        let id = words.into_iter().flatten().find(|word| *word != "none");
        id.map_or(Switch::off(), Switch::on)
    }

    fn no_variant(&self) -> &'static str {
        if self.has(true) { " variant=none" } else { "" }
    }

    fn has(&self, innocent: bool) -> bool {
        self.zoo.iter().any(|it| (it.kind == SpecimenKind::Innocent) == innocent)
    }

    fn words(&self, innocent: bool) -> &'static [&'static str] {
        let chosen = self.zoo.iter().filter(|it| (it.kind == SpecimenKind::Innocent) == innocent);
        leaked(std::iter::once("none").chain(chosen.map(|it| it.id)).collect())
    }
}

/// The systems of a student's binary: the lab on the student's solution.
pub fn entry_of_lab(lab: Lab) -> Entry {
    let words = test_words(&lab);
    let entry = Entry::new(lab.id, lab.title).parameter(test_parameter(move || words));
    entry.build_with(move |arguments, options| Ok(world(&lab, arguments, options)))
}

/// The lab on its reference, with its zoo.
pub fn entry_of_reference(reference: ReferenceLab) -> Entry {
    // Making a lab makes the commands of all its tests: not for those who are here for another system.
    let make = reference.make;
    let tests = test_parameter(move || test_words(&make(Switch::off())));
    let mut entry = Entry::new(reference.id, reference.summary).parameter(tests);
    if reference.has(false) {
        let help = "a mistake of the lab's zoo: `foresee labs list` says what each does";
        entry = entry.parameter(Parameter::word("bug", reference.words(false), help));
    }
    if reference.has(true) {
        let help = "an unusual way to do it that is right all the same";
        entry = entry.parameter(Parameter::word("variant", reference.words(true), help));
    }
    entry.build_with(move |arguments, options| {
        let lab = (reference.make)(reference.switch(arguments));
        Ok(world(&lab, arguments, options))
    })
}

fn test_parameter(words: impl FnOnce() -> &'static [&'static str] + Send + 'static) -> Parameter {
    Parameter::word_of("test", words, "the world of one of the lab's tests")
}

fn test_words(lab: &Lab) -> &'static [&'static str] {
    let with_worlds = lab.tests.iter().filter(|test| test.plan.set_up().is_some());
    let numbers = with_worlds.map(|test| &*test.number.to_string().leak());
    leaked(std::iter::once("standard").chain(numbers).collect())
}

fn world(lab: &Lab, arguments: &Arguments, options: &BuildOptions) -> Box<dyn Runnable> {
    let chosen = arguments.word("test");
    let of_test = lab.tests.iter().find(|test| test.number.to_string() == chosen);
    let set_up = of_test.and_then(|test| test.plan.set_up()).unwrap_or(&lab.standard);
    set_up(&arguments.to_string(), options).world
}

/// Words of a parameter live as long as the program.
fn leaked(words: Vec<&'static str>) -> &'static [&'static str] {
    words.leak()
}
