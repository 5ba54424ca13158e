//! Differences between two trees, as short lines a person reads: `value 0 -> 3`.

use foresee_lts::Tree;
use serde::{Deserialize, Serialize};

/// One part that changed.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Changed {
    /// Whose part: a member's name, or empty for what is shared.
    pub member: String,
    /// Where in the tree: `log[2].term`; empty for the whole.
    pub field: String,
    /// Empty for a part that was added.
    pub before: String,
    /// Empty for a part that was removed.
    pub after: String,
}

impl Changed {
    /// On one line, long values shortened to about `width` characters each: `server: value 0 -> 3`.
    pub fn one_line(&self, width: usize) -> String {
        let mut line = match (self.member.as_str(), self.field.as_str()) {
            ("", "") => String::new(),
            ("", field) => format!("{field} "),
            (member, "") => format!("{member}: "),
            (member, field) if field.starts_with('[') => format!("{member}{field}: "),
            (member, field) => format!("{member}: {field} "),
        };
        let (before, after) = (shorten(&self.before, width), shorten(&self.after, width));
        match (before.is_empty(), after.is_empty()) {
            (true, _) => line.push_str(&format!("+ {after}")),
            (_, true) => line.push_str(&format!("- {before}")),
            _ => line.push_str(&format!("{before} -> {after}")),
        }
        line
    }
}

/// One step on the way into a tree.
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum TreePart {
    /// A named part of a record.
    Field(String),
    /// An item of a list, from 0.
    Index(usize),
    /// The only item of a wrapper, as in `Some(5)`.
    Only,
    /// What a map has for a key.
    Key(String),
}

impl TreePart {
    /// A word for it: the name, the index or the key.
    pub fn word(&self) -> String {
        match self {
            TreePart::Field(name) | TreePart::Key(name) => name.clone(),
            TreePart::Index(at) => at.to_string(),
            TreePart::Only => "0".to_owned(),
        }
    }
}

/// One part of a tree that changed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TreeChange {
    /// Where in the tree; empty for the whole.
    pub path: Vec<TreePart>,
    /// `None` for a part that was added.
    pub before: Option<Tree>,
    /// `None` for a part that was removed.
    pub after: Option<Tree>,
}

/// Every part of `member` that differs between two trees, in the order of the trees.
///
/// ```
/// use foresee_lts::Tree;
/// use foresee_trace::differences;
/// let tree = |value: &str| Tree::Record { name: "Server".into(), fields: vec![("value".into(), Tree::leaf(value))] };
/// let changes = differences("server", &tree("0"), &tree("3"));
/// assert_eq!(changes[0].one_line(40), "server: value 0 -> 3");
/// ```
pub fn differences(member: &str, before: &Tree, after: &Tree) -> Vec<Changed> {
    let text = |tree: Option<Tree>| tree.map(|tree| tree.one_line()).unwrap_or_default();
    let changed = |change: TreeChange| Changed {
        member: member.to_owned(),
        field: field_of(&change.path),
        before: text(change.before),
        after: text(change.after),
    };
    tree_changes(before, after).into_iter().map(changed).collect()
}

/// The same as trees.
///
/// ```
/// use foresee_lts::Tree;
/// use foresee_trace::{TreePart, tree_changes};
/// let tree = |value: &str| Tree::Record { name: "Server".into(), fields: vec![("value".into(), Tree::leaf(value))] };
/// let changes = tree_changes(&tree("0"), &tree("3"));
/// assert_eq!(changes[0].path, [TreePart::Field("value".into())]);
/// assert_eq!(changes[0].after, Some(Tree::leaf("3")));
/// ```
pub fn tree_changes(before: &Tree, after: &Tree) -> Vec<TreeChange> {
    let mut walk = Walk { path: Vec::new(), changes: Vec::new() };
    walk.compare(before, after);
    walk.changes
}

/// A path as people write it: `log[2].term`.
fn field_of(path: &[TreePart]) -> String {
    path.iter().fold(String::new(), |field, part| match part {
        TreePart::Field(name) if field.is_empty() => name.clone(),
        TreePart::Field(name) => format!("{field}.{name}"),
        TreePart::Index(at) => format!("{field}[{at}]"),
        TreePart::Key(key) => format!("{field}[{key}]"),
        TreePart::Only => field,
    })
}

struct Walk {
    /// Where the walk stands.
    path: Vec<TreePart>,
    changes: Vec<TreeChange>,
}

impl Walk {
    fn compare(&mut self, before: &Tree, after: &Tree) {
        if before == after {
            return;
        }
        match (before, after) {
            (Tree::Record { name: n1, fields: f1 }, Tree::Record { name: n2, fields: f2 })
                if n1 == n2 && same_names(f1, f2) =>
            {
                for ((name, old), (_, new)) in f1.iter().zip(f2) {
                    self.inside(TreePart::Field(name.clone()), |walk| walk.compare(old, new));
                }
            }
            (Tree::List { name: n1, items: i1 }, Tree::List { name: n2, items: i2 })
                if n1 == n2 =>
            {
                self.compare_lists(i1, i2, before, after);
            }
            (Tree::Map(m1), Tree::Map(m2)) => self.compare_maps(m1, m2),
            _ => self.push(Some(before), Some(after)),
        }
    }

    /// Items in place; items put in or taken out; a last item that went on; anything else as a whole.
    fn compare_lists(&mut self, old: &[Tree], new: &[Tree], before: &Tree, after: &Tree) {
        if old.len() == new.len() {
            self.compare_items(old, new, before, after);
            return;
        }
        let start = old.iter().zip(new).take_while(|(a, b)| a == b).count();
        let room = old.len().min(new.len()) - start;
        let end =
            old.iter().rev().zip(new.iter().rev()).take(room).take_while(|(a, b)| a == b).count();
        let (taken_out, put_in) = (&old[start..old.len() - end], &new[start..new.len() - end]);
        let is_mixed = !taken_out.is_empty() && !put_in.is_empty();
        if is_mixed && start + 1 == old.len() && new.len() > old.len() {
            // The last item went on and more followed, as in logs and histories.
            self.inside(TreePart::Index(start), |walk| walk.compare(&old[start], &new[start]));
            for (i, item) in new.iter().enumerate().skip(old.len()) {
                self.inside(TreePart::Index(i), |walk| walk.push(None, Some(item)));
            }
            return;
        }
        if is_mixed {
            self.push(Some(before), Some(after));
            return;
        }
        for (i, item) in taken_out.iter().enumerate() {
            self.inside(TreePart::Index(start + i), |walk| walk.push(Some(item), None));
        }
        for (i, item) in put_in.iter().enumerate() {
            self.inside(TreePart::Index(start + i), |walk| walk.push(None, Some(item)));
        }
    }

    /// Lists of one length, item by item.
    fn compare_items(&mut self, old: &[Tree], new: &[Tree], before: &Tree, after: &Tree) {
        if is_short(before) && is_short(after) {
            // `ballot (1, n2) -> (2, n1)` reads better than a line for each half.
            self.push(Some(before), Some(after));
            return;
        }
        let is_wrapper =
            matches!(before, Tree::List { name, .. } if !name.is_empty()) && old.len() == 1;
        for (i, (old, new)) in old.iter().zip(new).enumerate() {
            let part = if is_wrapper { TreePart::Only } else { TreePart::Index(i) };
            self.inside(part, |walk| walk.compare(old, new));
        }
    }

    fn compare_maps(&mut self, m1: &[(Tree, Tree)], m2: &[(Tree, Tree)]) {
        let value_in = |map: &[(Tree, Tree)], key: &Tree| {
            map.iter().find(|(other, _)| other == key).map(|(_, value)| value.clone())
        };
        let part = |key: &Tree| TreePart::Key(key.one_line());
        for (key, old) in m1 {
            self.inside(part(key), |walk| match value_in(m2, key) {
                Some(new) => walk.compare(old, &new),
                None => walk.push(Some(old), None),
            });
        }
        for (key, new) in m2.iter().filter(|(key, _)| value_in(m1, key).is_none()) {
            self.inside(part(key), |walk| walk.push(None, Some(new)));
        }
    }

    fn inside(&mut self, part: TreePart, look: impl FnOnce(&mut Self)) {
        self.path.push(part);
        look(self);
        self.path.pop();
    }

    fn push(&mut self, before: Option<&Tree>, after: Option<&Tree>) {
        let path = self.path.clone();
        self.changes.push(TreeChange { path, before: before.cloned(), after: after.cloned() });
    }
}

fn is_short(tree: &Tree) -> bool {
    tree.one_line().chars().count() <= 32
}

fn same_names(left: &[(String, Tree)], right: &[(String, Tree)]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|((a, _), (b, _))| a == b)
}

/// At most `width` characters, the last one an ellipsis where something is missing; on one line.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() <= width {
        return text;
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    short
}
