//! Rust nodes behind the door: an entry of the registry with its parameters, built into a world.

use crate::checked_code::{catch_in_checked_code, in_checked_code_do};
use crate::front_end::FrontEnd;
use crate::{Code, Diagnostic, Registry, options};
use foresee_lts::{Claim, Coverage, System};
use foresee_nodes::{ArgumentError, Arguments, BuildOptions, Entry, Runnable};
use foresee_stateless::Party;
use foresee_trace::Trace;
use std::sync::Arc;

/// The key of a parameter in a trace's header, where the line `system:` cannot hold it.
const PARAMETER: &str = "parameter";

/// The system's name and its parameters, as a trace's header has them.
pub(crate) fn words_of(trace: &Trace) -> (&str, Vec<&str>) {
    let mut words = trace.system.split_whitespace();
    let name = words.next().unwrap_or_default();
    let own = trace.options.iter().filter(|(key, _)| key == PARAMETER);
    let own: Vec<&str> = own.map(|(_, word)| word.as_str()).collect();
    (name, if own.is_empty() { words.collect() } else { own })
}

pub(crate) struct NodesSystem {
    pub(crate) runnable: Arc<dyn Runnable>,
    entry: Entry,
    name: String,
    parameters: Vec<String>,
    options: BuildOptions,
}

impl NodesSystem {
    pub(crate) fn load<W: AsRef<str>>(
        registry: &Registry,
        name: &str,
        parameters: &[W],
        options: &BuildOptions,
    ) -> Result<Self, Diagnostic> {
        let entry = registry.find(name)?.clone();
        let parameters: Vec<String> =
            parameters.iter().map(|word| word.as_ref().to_owned()).collect();
        let arguments = Arguments::parse(entry.name, &entry.parameters, &parameters);
        let name = arguments.map_err(|error| refusal(&entry, &error))?.to_string();
        let runnable = build(&entry, &parameters, options)?;
        Ok(NodesSystem { runnable, entry, name, parameters, options: options.clone() })
    }
}

impl FrontEnd for NodesSystem {
    fn system(&self) -> &dyn System {
        self.runnable.system()
    }

    /// The name alone, as in the registry.
    fn short_name(&self) -> &str {
        self.entry.name
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn fresh(&self) -> Result<Arc<dyn FrontEnd>, Diagnostic> {
        let runnable = build(&self.entry, &self.parameters, &self.options)?;
        Ok(Arc::new(NodesSystem {
            runnable,
            entry: self.entry.clone(),
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            options: self.options.clone(),
        }))
    }

    fn for_races(&self) -> Result<Option<Arc<dyn FrontEnd>>, Diagnostic> {
        let options = BuildOptions { for_races: true, ..self.options.clone() };
        let runnable = build(&self.entry, &self.parameters, &options)?;
        if !runnable.is_for_races() {
            let message = format!("`{}` cannot be built for --engine stateless", self.entry.name);
            return Err(Diagnostic::new(Code::OptionDoesNotApply, message)
                .at("--engine stateless")
                .help(
                    "its builder should hand on the options it is given: `world.options(options)`",
                ));
        }
        Ok(Some(Arc::new(NodesSystem {
            runnable,
            entry: self.entry.clone(),
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            options,
        })))
    }

    /// By the node's name: its events, which are all that happens to it.
    fn is_called(&self, state: &[u32], party: Party, name: &str) -> bool {
        let Party::Actor(actor) = party else { return false };
        let nodes = self.system().describe(state).members;
        nodes.get(actor.0 as usize).is_some_and(|member| member.name == name)
    }

    fn trace_options(&self) -> Vec<(&'static str, String)> {
        let mut pairs = options::to_pairs(&self.options);
        // The name of the system is a list of words; what has a blank in it is none of them.
        if self.parameters.iter().any(|word| word.contains(char::is_whitespace)) {
            pairs.extend(self.parameters.iter().map(|word| (PARAMETER, word.clone())));
        }
        pairs
    }

    fn coverage(&self) -> Coverage {
        let mut checked = vec![Claim::NoPanic];
        if self.options.check_code {
            checked.push(Claim::DeterministicCode);
        }
        Coverage { checked, assumed: self.runnable.assumptions() }
    }

    fn warnings(&self) -> Vec<String> {
        let mut warnings = self.runnable.warnings();
        if in_checked_code_do(|| self.system().properties()).is_empty() {
            let text = "the system states no property: only panics are looked for";
            warnings.insert(0, text.to_owned());
        }
        warnings
    }

    fn not_idempotent(&self) -> Vec<(String, String)> {
        self.runnable.not_idempotent()
    }

    fn as_nodes(&self) -> Option<&NodesSystem> {
        Some(self)
    }
}

fn build(
    entry: &Entry,
    parameters: &[String],
    options: &BuildOptions,
) -> Result<Arc<dyn Runnable>, Diagnostic> {
    match catch_in_checked_code(|| entry.build(parameters, options)) {
        Ok(Ok(runnable)) => Ok(Arc::from(runnable)),
        Ok(Err(error)) => Err(refusal(entry, &error)),
        Err(panic) => Err(Diagnostic::new(
            Code::SystemNotBuilt,
            format!("building `{}` panicked: {panic}", entry.name),
        )
        .help("the builder should return an error for what it cannot build")),
    }
}

/// The diagnostic for what the catalogue says is wrong.
fn refusal(entry: &Entry, error: &ArgumentError) -> Diagnostic {
    let code = match error {
        ArgumentError::NotKeyValue { .. }
        | ArgumentError::UnknownParameter { .. }
        | ArgumentError::GivenTwice { .. } => Code::UnknownParameter,
        ArgumentError::NotANumber { .. }
        | ArgumentError::OutOfRange { .. }
        | ArgumentError::UnknownWord { .. } => Code::BadParameterValue,
        _ => Code::SystemNotBuilt,
    };
    let help = match (code, entry.parameters.is_empty()) {
        (Code::SystemNotBuilt, _) => {
            "change the parameter or the fault that it speaks of".to_owned()
        }
        (_, true) => format!("`{}` has no parameters", entry.name),
        _ => format!("`{}` takes {}", entry.name, parameters_of(entry)),
    };
    Diagnostic::new(code, error.to_string()).help(help)
}

fn parameters_of(entry: &Entry) -> String {
    let parameters = entry.parameters.iter();
    let words =
        parameters.map(|it| format!("{}={} ({})", it.name, it.default_text(), it.values_text()));
    words.collect::<Vec<_>>().join(", ")
}
