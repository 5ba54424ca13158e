//! Labels of a transition system, each text once.
//! Why: an LTS has millions of transitions and a few dozen labels; everything but files and people works with numbers.
//! Invariant: number 0 is the internal step, whether or not it occurs; no other label is spelt `tau`. CADP's `i` is a label like any
//! other here: whoever knows that a file means the internal step by it says so when reading labels (`--internal i`).

use rustc_hash::FxHashMap;

/// The number of a label in its table.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct LabelId(pub u32);

impl LabelId {
    /// The internal step.
    pub const TAU: LabelId = LabelId(0);

    pub fn is_tau(self) -> bool {
        self == LabelId::TAU
    }
}

/// Every label of an LTS.
#[derive(Clone, Debug)]
pub struct Labels {
    names: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, LabelId>,
}

impl Default for Labels {
    fn default() -> Self {
        Labels { names: vec!["tau".into()], ids: FxHashMap::default() }
    }
}

impl Labels {
    /// The number of a label; `tau` is [`LabelId::TAU`].
    pub fn intern(&mut self, name: &str) -> LabelId {
        if let Some(id) = self.find(name) {
            return id;
        }
        let id = LabelId(self.names.len() as u32);
        self.names.push(name.into());
        self.ids.insert(name.into(), id);
        id
    }

    /// The number of a label that may be hidden.
    pub fn intern_option(&mut self, name: Option<&str>) -> LabelId {
        name.map_or(LabelId::TAU, |name| self.intern(name))
    }

    pub fn find(&self, name: &str) -> Option<LabelId> {
        if is_tau(name) { Some(LabelId::TAU) } else { self.ids.get(name).copied() }
    }

    /// The text of a label; `tau` for the internal step.
    pub fn name(&self, id: LabelId) -> &str {
        &self.names[id.0 as usize]
    }

    /// The text of a visible label.
    pub fn visible(&self, id: LabelId) -> Option<&str> {
        (!id.is_tau()).then(|| self.name(id))
    }

    /// How many there are, the internal step included.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Never: the internal step is always there.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (LabelId, &str)> {
        (0u32..).map(LabelId).zip(self.names.iter().map(|name| &**name))
    }
}

/// The spelling of the internal step, in mCRL2's files and in ours.
pub(crate) fn is_tau(name: &str) -> bool {
    name == "tau"
}
