//! Addresses: names of nodes that are as cheap as integers.
//! Why: messages and states are full of addresses and people read them, so `{:?}` must say `server2`, not `#4`; and
//! ballots compare them, so their order must not depend on which test of a process made them first.
//! Invariant: one name, one allocation, for the life of the process; equality is equality of pointers, order and hash
//! are of the name.

use foresee_stdx::compare_naturally;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Mutex;

/// The name of a node.
///
/// ```
/// use foresee_node::Address;
/// let server = Address::new("server2");
/// assert_eq!(format!("{server:?}"), "server2");
/// assert_eq!(server, Address::new("server2"));
/// assert!(server < Address::new("server10"), "numbers in names count as numbers");
/// ```
#[derive(Clone, Copy)]
pub struct Address(&'static Known);

/// What is known of a name.
struct Known {
    name: &'static str,
    /// The name without the number it ends with, in its one allocation, and that number; `None` without one, and where zeros stand
    /// before it or it is too large.
    numbered: Option<(&'static str, u64)>,
}

#[derive(Default)]
struct Names {
    known: HashMap<&'static str, &'static Known>,
    stems: HashSet<&'static str>,
}

static NAMES: Mutex<Option<Names>> = Mutex::new(None);

impl Names {
    fn learn(&mut self, name: &str) -> &'static Known {
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        let stem = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let number = &name[stem.len()..];
        let number = number.parse().ok().filter(|_| !number.starts_with('0'));
        let numbered = number.map(|number| (self.stem(stem), number));
        let known: &'static Known = Box::leak(Box::new(Known { name, numbered }));
        self.known.insert(name, known);
        known
    }

    fn stem(&mut self, stem: &'static str) -> &'static str {
        if let Some(known) = self.stems.get(stem) {
            return known;
        }
        self.stems.insert(stem);
        stem
    }
}

impl Address {
    /// The address with this name: any text without white space.
    ///
    /// # Panics
    /// If the name is empty or has white space, because labels and trace files separate words by it.
    pub fn new(name: &str) -> Self {
        assert!(
            !name.is_empty() && !name.contains(char::is_whitespace),
            "an address is a word: {name:?} is empty or has white space"
        );
        let mut names = NAMES.lock().expect("not poisoned");
        let names = names.get_or_insert_default();
        match names.known.get(name) {
            Some(known) => Address(known),
            None => Address(names.learn(name)),
        }
    }

    /// `name1`, `name2`, … `nameN`.
    pub fn numbered(name: &str, n: usize) -> Vec<Self> {
        (1..=n).map(|i| Address::new(&format!("{name}{i}"))).collect()
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }
}

impl From<&str> for Address {
    fn from(name: &str) -> Self {
        Address::new(name)
    }
}

impl From<String> for Address {
    fn from(name: String) -> Self {
        Address::new(&name)
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Address {}

impl Hash for Address {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl PartialOrd for Address {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Address {
    fn cmp(&self, other: &Self) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        match (self.0.numbered, other.0.numbered) {
            (Some((stem, number)), Some((other_stem, other_number)))
                if std::ptr::eq(stem, other_stem) =>
            {
                number.cmp(&other_number)
            }
            _ => compare_naturally(self.0.name, other.0.name),
        }
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ADDRESS_IN_SERDE, renamed(*self).0.name)
    }
}

thread_local! {
    /// What addresses are written down as by this thread, where that is another name.
    static OTHER_NAMES: RefCell<Vec<(Address, Address)>> = const { RefCell::new(Vec::new()) };
}

fn renamed(address: Address) -> Address {
    OTHER_NAMES.with_borrow(|names| {
        names.iter().find(|(name, _)| *name == address).map_or(address, |(_, other)| *other)
    })
}

/// Does some work during which the first address of each pair is written down as the second: for those who ask what a value would be
/// if nodes had each other's names.
pub fn with_other_names<T>(names: &[(Address, Address)], work: impl FnOnce() -> T) -> T {
    /// Restores the names also when the work panics.
    struct Restore(Vec<(Address, Address)>);
    impl Drop for Restore {
        fn drop(&mut self) {
            OTHER_NAMES.set(std::mem::take(&mut self.0));
        }
    }
    let _restore = Restore(OTHER_NAMES.replace(names.to_vec()));
    work()
}

/// A copy of `value` in which the first address of each pair is the second; `None` if the value cannot be written down and read
/// back.
///
/// ```
/// use foresee_node::{Address, renamed_copy};
/// use std::collections::BTreeSet;
/// let [a, b, c] = [Address::new("a"), Address::new("b"), Address::new("c")];
/// let seen = BTreeSet::from([(a, 1), (c, 2)]);
/// assert_eq!(renamed_copy(&seen, &[(a, b), (b, a)]), Some(BTreeSet::from([(b, 1), (c, 2)])));
/// ```
pub fn renamed_copy<T: Serialize + DeserializeOwned>(
    value: &T,
    names: &[(Address, Address)],
) -> Option<T> {
    let bytes = with_other_names(names, || postcard::to_stdvec(value)).ok()?;
    postcard::from_bytes(&bytes).ok()
}

/// The name under which serde sees an address, so that what shows values can show a name and not text in quotes.
pub const ADDRESS_IN_SERDE: &str = "foresee::Address";

#[derive(Deserialize)]
#[serde(rename = "foresee::Address")]
struct Name(String);

impl<'de> Deserialize<'de> for Address {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Name(name) = Name::deserialize(deserializer)?;
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(serde::de::Error::custom(format!("{name:?} is no address")));
        }
        Ok(Address::new(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_that_of_names_whatever_is_known_of_them() {
        let names = [
            "a",
            "a0",
            "a1",
            "a2",
            "a9",
            "a10",
            "a010",
            "a00",
            "b",
            "b1",
            "b12",
            "1",
            "2",
            "10",
            "01",
            "a1b",
            "a1b2",
            "a1b10",
            "a99999999999999999999999",
            "a18446744073709551615",
            "é2",
            "é10",
            "g1server2",
            "g1server10",
            "g10server1",
        ];
        for left in names {
            for right in names {
                let order = Address::new(left).cmp(&Address::new(right));
                assert_eq!(order, compare_naturally(left, right), "{left} {right}");
            }
        }
    }
}
