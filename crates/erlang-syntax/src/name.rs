//! Names (of atoms, variables, macros) and integers as they occur in source text.
//! Why: trees are cloned and shared by later passes, so a name is a counted pointer to text that equal names of one
//! file share; integers are almost always small, so a big one costs a pointer only when it is needed.

use std::borrow::Borrow;
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashSet;

/// The text of an atom, a variable or a macro; cheap to clone, compared by content.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(Arc<str>);

impl Name {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name(text.into())
    }
}

impl From<String> for Name {
    fn from(text: String) -> Name {
        Name(text.into())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, other: &str) -> bool {
        &*self.0 == other
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, other: &&str) -> bool {
        &*self.0 == *other
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Shares one allocation between equal names of one parse.
#[derive(Default)]
pub(crate) struct Names {
    seen: FxHashSet<Name>,
}

impl Names {
    pub(crate) fn intern(&mut self, text: &str) -> Name {
        if let Some(name) = self.seen.get(text) {
            return name.clone();
        }
        let name = Name::from(text);
        self.seen.insert(name.clone());
        name
    }
}

/// An integer literal of any size. `Big` is used only for values outside `i64`, so equality is by value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Integer {
    /// Fits a machine word.
    Small(i64),
    /// Does not.
    Big(Arc<BigInt>),
}

impl Integer {
    /// Parses digits (no sign, no underscores) in a base from 2 to 36.
    pub fn parse(digits: &str, base: u32) -> Option<Integer> {
        match i64::from_str_radix(digits, base) {
            Ok(value) => Some(Integer::Small(value)),
            Err(_) => BigInt::parse_bytes(digits.as_bytes(), base).map(Integer::from),
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Integer::Small(value) => BigInt::from(*value),
            Integer::Big(value) => (**value).clone(),
        }
    }

    /// The value if it fits a machine word.
    pub fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Big(_) => None,
        }
    }
}

impl From<i64> for Integer {
    fn from(value: i64) -> Integer {
        Integer::Small(value)
    }
}

impl From<BigInt> for Integer {
    fn from(value: BigInt) -> Integer {
        match i64::try_from(&value) {
            Ok(small) => Integer::Small(small),
            Err(_) => Integer::Big(Arc::new(value)),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(value) => value.fmt(f),
            Integer::Big(value) => value.fmt(f),
        }
    }
}
