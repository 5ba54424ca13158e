//! What may lean on what, as data, and the check that `Cargo.toml` files agree.
//! Why: a drawing of layers is true only as long as something fails when it is not.
//! Not checked: what tests lean on (`dev-dependencies`); a test may stand outside and look in.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Every room and the rooms below it that it may use. A new arrow is a decision record.
const MAY_USE: &[(&str, &[&str])] = &[
    ("stdx", &[]),
    ("text", &["stdx"]),
    ("erlang-syntax", &["text"]),
    ("erlang-options", &[]),
    ("lts", &["stdx"]),
    ("search", &["lts", "stdx"]),
    ("stateful", &["search", "lts", "stdx"]),
    ("stateless", &["search", "lts", "stdx"]),
    ("logic", &["search", "lts", "text", "stdx"]),
    ("node", &["stdx"]),
    ("nodes", &["node", "lts", "stdx"]),
    ("erlang", &["lts", "stdx", "text", "erlang-syntax", "erlang-options"]),
    ("algebra", &["lts", "text", "stdx"]),
    ("translate", &["algebra", "erlang", "erlang-syntax", "text", "stdx"]),
    ("trace", &["lts", "stdx"]),
    ("systems", &["node", "nodes", "stateful", "lts", "stdx"]),
    ("runtime", &["node", "trace", "lts", "stdx"]),
    (
        "session",
        &[
            "stateful",
            "stateless",
            "logic",
            "node",
            "nodes",
            "erlang",
            "erlang-options",
            "erlang-syntax",
            "text",
            "algebra",
            "translate",
            "systems",
            "trace",
            "search",
            "lts",
            "stdx",
        ],
    ),
    ("labs", &["node", "nodes", "stateful", "search", "trace", "lts", "stdx"]),
    ("grade", &["labs", "node", "trace", "lts"]),
    // The labs themselves, which stand under `labs/`.
    ("lab0", &["labs", "nodes"]),
    ("lab1", &["labs", "nodes", "stateful", "search", "lts"]),
    ("lab2", &["labs", "nodes", "stateful", "search", "lts"]),
    ("lab3", &["labs", "nodes", "stateful", "search", "lts"]),
    ("lab4", &["labs", "nodes", "stateful", "search", "lts", "lab3"]),
    ("lab5", &["labs", "lab3", "nodes", "stateful", "search", "lts"]),
    ("lab6", &["labs", "nodes", "stateful", "search", "lts"]),
    ("cluster", &["search", "stdx"]),
    ("cli", &["session", "cluster"]),
    ("debugger", &["session"]),
    (
        "foresee",
        &[
            "cli", "debugger", "session", "trace", "node", "nodes", "systems", "stateful",
            "search", "lts", "runtime", "labs", "grade", "lab0", "lab1", "lab2", "lab3", "lab4",
            "lab5", "lab6",
        ],
    ),
];

/// Adds a sentence to `problems` for each arrow that is not drawn.
pub(crate) fn check(root: &Path, problems: &mut Vec<String>) -> Result<()> {
    for package in packages(root)? {
        let name = package["name"].as_str().unwrap_or_default();
        let Some(room) = room_of(&package, name) else { continue };
        let Some((_, allowed)) = MAY_USE.iter().find(|(known, _)| *known == room) else {
            problems.push(format!(
                "crates/{room}: not in the layers: give it a floor in xtask/src/layers.rs and ARCHITECTURE.md"
            ));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let used = dependency["name"].as_str().unwrap_or_default();
            let Some(used) = used.strip_prefix("foresee-") else { continue };
            if dependency["kind"].as_str() != Some("dev") && !allowed.contains(&used) {
                problems.push(format!("crates/{room}/Cargo.toml: {room} may not lean on {used}"));
            }
        }
    }
    Ok(())
}

/// The room of a package that stands under `crates/`; `None` for the others (tests, bench, xtask, labs).
fn room_of<'a>(package: &Value, name: &'a str) -> Option<&'a str> {
    let manifest = package["manifest_path"].as_str().unwrap_or_default().replace('\\', "/");
    let is_room = manifest.rsplit('/').nth(2) == Some("crates");
    is_room.then(|| name.strip_prefix("foresee-").unwrap_or(name))
}

fn packages(root: &Path) -> Result<Vec<Value>> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--no-deps", "--offline", "--format-version=1"])
        .current_dir(root)
        .output()
        .context("cargo does not start")?;
    ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    metadata["packages"].as_array().cloned().context("cargo metadata lists no packages")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_point_down_only() {
        for (index, (room, uses)) in MAY_USE.iter().enumerate() {
            for used in *uses {
                let below = MAY_USE.iter().position(|(known, _)| known == used);
                let points_down = below.is_some_and(|below| below < index);
                assert!(points_down, "{room} -> {used} does not point down");
            }
        }
    }
}
