//! What is on the stage: the system in words, and what is looked at in every state.

use super::{PropertyInfo, StageInfo};
use crate::Loaded;
use crate::checked_code::{in_checked_code_do, marked, marked_property};
use foresee_lts::{Predicate, Property, PropertyKind, System};

/// The properties and prunes that the system itself states.
pub(super) fn claims(loaded: &Loaded) -> (Vec<Property>, Vec<Predicate>) {
    let properties = in_checked_code_do(|| loaded.properties());
    let prunes = in_checked_code_do(|| loaded.prunes());
    (
        properties.into_iter().map(marked_property).collect(),
        prunes.into_iter().map(marked).collect(),
    )
}

pub(super) fn info(loaded: &Loaded, properties: &[Property], prunes: &[Predicate]) -> StageInfo {
    let system = loaded.name();
    let words = system.split_whitespace().skip(1).filter_map(|word| word.split_once('='));
    let mut parameters: Vec<(String, String)> =
        words.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    let options = loaded.source().header_options().into_iter();
    parameters.extend(options.map(|(key, value)| (key.to_owned(), value)));
    let restrictions = prunes.iter().map(restriction);
    StageInfo {
        name: loaded.short_name().to_owned(),
        parameters,
        front_end: loaded.kind().word(),
        properties: property_infos(loaded, properties),
        restrictions: restrictions.collect(),
        system,
    }
}

/// Where explorations do not go on, in words.
pub(super) fn restriction(prune: &Predicate) -> String {
    format!("not followed once {}", prune.name())
}

/// The system's own properties, then faults, and deadlocks where they are looked for.
fn property_infos(loaded: &Loaded, properties: &[Property]) -> Vec<PropertyInfo> {
    let info =
        |name: &str, kind: &str| PropertyInfo { name: name.to_owned(), kind: kind.to_owned() };
    let own = properties.iter().map(|property| {
        let kind = match property.kind {
            PropertyKind::Reachable => "reachable",
            _ => "invariant",
        };
        info(property.name(), kind)
    });
    let deadlock = loaded.front().looks_for_deadlocks().then(|| info("no deadlock", "deadlock"));
    own.chain([info("no fault", "fault")]).chain(deadlock).collect()
}
