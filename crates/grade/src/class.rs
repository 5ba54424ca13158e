//! Tables of a class: who earned what, which test nobody passes and why, and apart from those what it cost.

use crate::Graded;
use foresee_labs::Status;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// What one step of one submission cost.
#[derive(Clone, Copy, Debug)]
pub struct Timing {
    pub step: &'static str,
    pub cpu: Duration,
    pub wall: Duration,
}

/// A class that has been graded, in the order of the students' names.
pub struct ClassReport<'a> {
    pub students: &'a [Graded],
}

impl ClassReport<'_> {
    /// One line a student.
    pub fn summary(&self) -> String {
        let mut text = String::from("student,earned,points,passed,failed,unfinished,error,note\n");
        for graded in self.students {
            let results = &graded.results;
            let count = |status| results.tests.iter().filter(|it| it.status == status).count();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{}",
                field(&graded.student),
                results.earned(),
                results.points(),
                count(Status::Passed),
                count(Status::Failed),
                count(Status::Unfinished),
                count(Status::Error),
                field(graded.note.as_deref().unwrap_or_default()),
            );
        }
        text
    }

    /// One line a test: which lecture to give again.
    pub fn statistics(&self) -> String {
        let mut text = String::from(
            "number,name,points,students,passed,pass_rate,median_states,most_frequent_property,times\n",
        );
        let Some(first) = self.students.first() else { return text };
        for (place, test) in first.results.tests.iter().enumerate() {
            let all = self.students.iter().filter_map(|graded| graded.results.tests.get(place));
            let all: Vec<_> = all.collect();
            let passed = all.iter().filter(|it| it.status == Status::Passed).count();
            let mut states: Vec<u64> = all.iter().map(|it| it.states).filter(|n| *n > 0).collect();
            states.sort_unstable();
            let median = states.get(states.len() / 2).copied().unwrap_or(0);
            let mut properties: BTreeMap<&str, usize> = BTreeMap::new();
            for property in all.iter().filter_map(|it| it.property.as_deref()) {
                *properties.entry(property).or_default() += 1;
            }
            let most =
                properties.iter().max_by_key(|(name, times)| (**times, std::cmp::Reverse(**name)));
            let (property, times) = most.map_or(("", 0), |(name, times)| (*name, *times));
            let _ = writeln!(
                text,
                "{},{},{},{},{passed},{:.2},{median},{},{times}",
                test.number,
                field(test.name),
                test.points,
                all.len(),
                passed as f64 / all.len().max(1) as f64,
                field(property),
            );
        }
        text
    }

    /// What it cost: the only table with times.
    pub fn timing(&self) -> String {
        let mut text = String::from("student,step,cpu_seconds,seconds\n");
        for graded in self.students {
            for step in ["build", "test"] {
                let steps = graded.timing.iter().filter(|it| it.step == step);
                let (cpu, wall) = steps
                    .fold((Duration::ZERO, Duration::ZERO), |(cpu, wall), it| {
                        (cpu + it.cpu, wall + it.wall)
                    });
                let _ = writeln!(
                    text,
                    "{},{step},{:.2},{:.2}",
                    field(&graded.student),
                    cpu.as_secs_f64(),
                    wall.as_secs_f64()
                );
            }
        }
        text
    }
}

/// A field of a table; quoted where it must be, and never taken for a formula.
fn field(text: &str) -> String {
    let text = text.replace(['\n', '\r'], " ");
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    let text = if is_formula { format!("'{text}") } else { text };
    match text.contains([',', '"']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("a\"b\nc"), "\"a\"\"b c\"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
