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
    // An Erlang program knows itself who may crash.
    if names.is_empty() || loaded.is_erlang() {
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
    let (names, front) = (names.to_vec(), loaded.front());
    Ok(Some(Arc::new(move |state, action| {
        let label = front.system().label(state, action);
        label.verb != Verb::Crash || label.to.is_none_or(|node| names.contains(&node))
    })))
}
