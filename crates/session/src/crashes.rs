//! `--crash NODE`: only the named nodes may crash.

use crate::nearest::did_you_mean;
use crate::{Code, Diagnostic, Loaded};
use foresee_lts::Verb;
use foresee_stateful::Allow;
use std::sync::Arc;

/// A filter that takes away the crashes of all other nodes; `None` if nobody is named.
pub(crate) fn crashes_only_of(
    loaded: &Loaded,
    names: &[String],
) -> Result<Option<Allow>, Diagnostic> {
    let front = loaded.front();
    let names = front.nodes_to_crash(names);
    if names.is_empty() {
        return Ok(None);
    }
    let nodes = loaded.nodes();
    for name in names {
        if !nodes.contains(name) {
            let known: Vec<_> = nodes.iter().map(String::as_str).collect();
            return Err(Diagnostic::new(Code::UnknownNode, format!("there is no node `{name}`"))
                .at(format!("--crash {name}"))
                .help(did_you_mean(name, &known)));
        }
    }
    let names = names.to_vec();
    Ok(Some(Arc::new(move |state, action| {
        let label = front.system().label(state, action);
        label.verb != Verb::Crash || label.to.is_none_or(|node| names.contains(&node))
    })))
}
