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
use std::collections::HashSet;
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
pub struct Address(&'static str);

static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);

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
        if let Some(known) = names.get(name) {
            return Address(known);
        }
        let known: &'static str = Box::leak(name.to_owned().into_boxed_str());
        names.insert(known);
        Address(known)
    }

    /// `name1`, `name2`, … `nameN`.
    pub fn numbered(name: &str, n: usize) -> Vec<Self> {
        (1..=n).map(|i| Address::new(&format!("{name}{i}"))).collect()
    }

    pub fn name(self) -> &'static str {
        self.0
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
        self.0.hash(state);
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
        compare_naturally(self.0, other.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

impl Serialize for Address {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(ADDRESS_IN_SERDE, renamed(*self).0)
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
