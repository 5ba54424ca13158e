//! From words to a system, or to a diagnostic about the words.
//! A [`Loaded`] remembers how it was built, because a violation is replayed on a *fresh* instance: nothing that the search
//! left behind in caches or in the user's own statics may take part in it.

use crate::checked_code::{catch_in_checked_code, in_checked_code_do};
use crate::nearest::did_you_mean;
use crate::{Code, Diagnostic, Registry};
use foresee_lts::{
    Action, Actor, Description, Explorer, Fault, Footprint, Label, Predicate, Property, State,
    System,
};
use foresee_nodes::{ArgumentError, Arguments, BuildOptions, Entry, Runnable};
use std::sync::Arc;

/// A system, ready to be checked, and how to build it again. It is a [`System`] itself, with the name the user would type.
pub struct Loaded {
    runnable: Arc<dyn Runnable>,
    entry: Entry,
    name: String,
    parameters: Vec<String>,
    options: BuildOptions,
}

/// Builds the system called `name` with `key=value` parameters.
///
/// ```
/// use foresee_session::{BuildOptions, Code, Registry, load};
/// use foresee_lts::System;
/// let registry = Registry::stock();
/// let ping = load(&registry, "ping", &["clients=2"], &BuildOptions::default()).unwrap();
/// assert!(ping.name().starts_with("ping clients=2"));
/// let error = load(&registry, "ping", &["clients=many"], &BuildOptions::default()).err().unwrap();
/// assert_eq!(error.code, Code::BadParameterValue);
/// ```
pub fn load<W: AsRef<str>>(
    registry: &Registry,
    name: &str,
    parameters: &[W],
    options: &BuildOptions,
) -> Result<Loaded, Diagnostic> {
    let entry = registry.find(name)?.clone();
    let parameters: Vec<String> = parameters.iter().map(|word| word.as_ref().to_owned()).collect();
    let arguments = Arguments::parse(entry.name, &entry.parameters, &parameters);
    let name = arguments.map_err(|error| refusal(&entry, &error))?.to_string();
    let runnable = build(&entry, &parameters, options)?;
    Ok(Loaded { runnable, entry, name, parameters, options: options.clone() })
}

impl Loaded {
    /// What is behind the name; a handle that may outlive this one.
    pub fn runnable(&self) -> Arc<dyn Runnable> {
        Arc::clone(&self.runnable)
    }

    /// The name alone, as in the registry: what files are called after.
    pub fn short_name(&self) -> &'static str {
        self.entry.name
    }

    pub fn options(&self) -> &BuildOptions {
        &self.options
    }

    /// The same system built once more.
    pub fn fresh(&self) -> Result<Loaded, Diagnostic> {
        let runnable = build(&self.entry, &self.parameters, &self.options)?;
        Ok(Loaded {
            runnable,
            entry: self.entry.clone(),
            name: self.name.clone(),
            parameters: self.parameters.clone(),
            options: self.options.clone(),
        })
    }

    /// The nodes there are at the start.
    pub fn nodes(&self) -> Vec<String> {
        let first = self.initial().into_iter().next().unwrap_or_default();
        self.describe(&first).members.into_iter().map(|member| member.name).collect()
    }

    /// The properties called `names`, or all if there are no names.
    pub fn chosen_properties(&self, names: &[String]) -> Result<Vec<Property>, Diagnostic> {
        let all = in_checked_code_do(|| self.properties());
        for name in names {
            if !all.iter().any(|property| property.name() == name) {
                let known: Vec<_> = all.iter().map(Property::name).collect();
                let message = format!("`{}` has no property `{name}`", self.name());
                let help = did_you_mean(name, &known);
                return Err(Diagnostic::new(Code::UnknownProperty, message)
                    .at(format!("--invariant {name}"))
                    .help(help));
            }
        }
        let chosen = |property: &Property| {
            names.is_empty() || names.iter().any(|name| name == property.name())
        };
        Ok(all.into_iter().filter(chosen).collect())
    }
}

/// Everything as the system inside says it, but for the name.
impl System for Loaded {
    fn initial(&self) -> Vec<State> {
        self.runnable.system().initial()
    }
    fn enabled(&self, state: &[u32], actions: &mut Vec<Action>) {
        self.runnable.system().enabled(state, actions);
    }
    fn step(&self, state: &[u32], action: Action) -> State {
        self.runnable.system().step(state, action)
    }
    fn name(&self) -> String {
        self.name.clone()
    }
    fn explorer(&self) -> Box<dyn Explorer + '_> {
        self.runnable.system().explorer()
    }
    fn content_hash(&self, slot: usize, id: u32) -> u64 {
        self.runnable.system().content_hash(slot, id)
    }
    fn label(&self, state: &[u32], action: Action) -> Label {
        self.runnable.system().label(state, action)
    }
    fn actor(&self, state: &[u32], action: Action) -> Actor {
        self.runnable.system().actor(state, action)
    }
    fn footprint(&self, state: &[u32], action: Action) -> Footprint {
        self.runnable.system().footprint(state, action)
    }
    fn would_take(&self, state: &[u32], action: Action, message: u64) -> bool {
        self.runnable.system().would_take(state, action, message)
    }
    fn is_final(&self, state: &[u32]) -> bool {
        self.runnable.system().is_final(state)
    }
    fn fault(&self, state: &[u32]) -> Option<Fault> {
        self.runnable.system().fault(state)
    }
    fn properties(&self) -> Vec<Property> {
        self.runnable.system().properties()
    }
    fn prunes(&self) -> Vec<Predicate> {
        self.runnable.system().prunes()
    }
    fn score(&self, state: &[u32]) -> Option<i64> {
        self.runnable.system().score(state)
    }
    fn describe(&self, state: &[u32]) -> Description {
        self.runnable.system().describe(state)
    }
    fn memory_bytes(&self) -> usize {
        self.runnable.system().memory_bytes()
    }
    fn handler_calls(&self) -> u64 {
        self.runnable.system().handler_calls()
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
