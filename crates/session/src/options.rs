//! Build options as words and back, so that a trace can say how its system was built.
//! The keys are the names of the flags without their dashes.

use crate::{Code, Diagnostic};
use foresee_nodes::BuildOptions;
use foresee_trace::Trace;

/// What differs from the defaults.
pub(crate) fn to_pairs(options: &BuildOptions) -> Vec<(&'static str, String)> {
    // Every field is named, so that a new one does not compile until it has its line.
    let BuildOptions { drops, duplicates, crashes, restarts, partitions, check_code, for_races } =
        *options;
    let numbers = [
        ("drops-max", drops),
        ("duplicates-max", duplicates),
        ("crashes-max", crashes),
        ("restarts-max", restarts),
        ("partitions-max", partitions),
    ];
    let set = numbers.into_iter().filter(|(_, value)| *value > 0);
    let mut pairs: Vec<_> = set.map(|(key, value)| (key, value.to_string())).collect();
    if check_code {
        pairs.push(("check-code", "true".to_owned()));
    }
    if for_races {
        pairs.push(("for-races", "true".to_owned()));
    }
    pairs
}

/// The options of a trace; keys that are about the search and not the system are passed over.
pub(crate) fn from_trace(trace: &Trace) -> Result<BuildOptions, Diagnostic> {
    let mut options = BuildOptions::default();
    for (key, value) in &trace.options {
        let number = || {
            value.parse::<u32>().map_err(|_| {
                Diagnostic::new(Code::TraceDamaged, format!("`{value}` is no number"))
                    .at(format!("option: {key} = {value}"))
                    .help("correct the line in the trace's header")
            })
        };
        match key.as_str() {
            "drops-max" => options.drops = number()?,
            "duplicates-max" => options.duplicates = number()?,
            "crashes-max" => options.crashes = number()?,
            "restarts-max" => options.restarts = number()?,
            "partitions-max" => options.partitions = number()?,
            "check-code" => options.check_code = value == "true",
            "for-races" => options.for_races = value == "true",
            _ => {}
        }
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_the_way_into_a_trace_and_back() {
        let options = BuildOptions {
            drops: 1,
            duplicates: 5,
            crashes: 2,
            restarts: 3,
            partitions: 4,
            check_code: true,
            for_races: true,
        };
        let trace = to_pairs(&options)
            .into_iter()
            .fold(Trace::new("ping"), |trace, (key, value)| trace.with_option(key, value))
            .with_option("strategy", "dfs");
        let trace = Trace::parse(&trace.to_string()).expect("our own text");
        assert_eq!(from_trace(&trace), Ok(options));
        assert!(to_pairs(&BuildOptions::default()).is_empty());
    }

    #[test]
    fn nonsense_names_the_line() {
        let trace = Trace::new("ping").with_option("drops-max", "few");
        let error = from_trace(&trace).expect_err("not a number");
        assert_eq!(error.location.as_deref(), Some("option: drops-max = few"));
    }
}
