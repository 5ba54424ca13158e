//! Trees of named fields: how a front end shows the inside of a component to a person.

use serde::{Deserialize, Serialize};

/// A value taken apart for display: the debugger unfolds it, reports print it, differences are marked in it.
#[derive(Clone, Debug, Deserialize, Eq, Hash, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tree {
    /// Something without parts, as text.
    Leaf(String),
    /// A struct or enum variant: its name (may be empty) and named parts.
    Record { name: String, fields: Vec<(String, Tree)> },
    /// A sequence, set or tuple; `name` is the tuple struct's or variant's name, or empty.
    List { name: String, items: Vec<Tree> },
    /// A map, in the order the value gives.
    Map(Vec<(Tree, Tree)>),
}

impl Tree {
    pub fn leaf(text: impl Into<String>) -> Self {
        Tree::Leaf(text.into())
    }

    /// The tree on one line, as `Debug` would print the value.
    ///
    /// ```
    /// use foresee_lts::Tree;
    /// let tree = Tree::Record { name: "Ping".into(), fields: vec![("n".into(), Tree::leaf("1"))] };
    /// assert_eq!(tree.one_line(), "Ping { n: 1 }");
    /// ```
    pub fn one_line(&self) -> String {
        match self {
            Tree::Leaf(text) => text.clone(),
            Tree::Record { name, fields } => {
                let fields: Vec<_> = fields
                    .iter()
                    .map(|(field, tree)| format!("{field}: {}", tree.one_line()))
                    .collect();
                format!("{name} {{ {} }}", fields.join(", ")).trim_start().to_owned()
            }
            Tree::List { name, items } => {
                let items: Vec<_> = items.iter().map(Tree::one_line).collect();
                if name.is_empty() {
                    format!("[{}]", items.join(", "))
                } else {
                    format!("{name}({})", items.join(", "))
                }
            }
            Tree::Map(entries) => {
                let entries: Vec<_> = entries
                    .iter()
                    .map(|(k, v)| format!("{}: {}", k.one_line(), v.one_line()))
                    .collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }
}
