//! The directory: from an address to the number of its node.
//! Why not a map from names: a name is hashed letter by letter, and predicates ask for every node they look at. One name is
//! one allocation, so where it stands identifies it. Nothing a user sees depends on where that is.

use crate::Address;
use rustc_hash::FxHashMap;

pub(crate) struct Directory {
    names: Vec<Address>,
    numbers: FxHashMap<usize, u32>,
}

impl Directory {
    pub(crate) fn new(names: &[Address]) -> Self {
        let numbers = names.iter().map(|name| place(*name)).zip(0..).collect();
        Directory { names: names.to_vec(), numbers }
    }

    /// The number of the node with this name, if there is one.
    #[inline]
    pub(crate) fn get(&self, name: Address) -> Option<u32> {
        self.numbers.get(&place(name)).copied()
    }

    /// All names, in the order of adding.
    pub(crate) fn names(&self) -> &[Address] {
        &self.names
    }
}

fn place(name: Address) -> usize {
    name.name().as_ptr() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_of_their_order() {
        let names = Address::numbered("entry", 40);
        let directory = Directory::new(&names);
        for (number, name) in (0..).zip(&names) {
            assert_eq!(directory.get(Address::new(name.name())), Some(number));
        }
        assert_eq!(directory.get(Address::new("entry41")), None);
        assert_eq!(directory.names(), names);
    }
}
