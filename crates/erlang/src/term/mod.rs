//! Terms: the values of Erlang.
//! Small values are immediate; compound ones are shared, immutable nodes that carry the hash of their content, so
//! that hashing a process is combining a few words and never a walk.
//! Why not a term per process with copying: every state of a search holds its terms at once, and most are shared.
//! Invariant: `content_hash` depends on the content only (no addresses, no order of interning); equal terms (`==` of
//! Rust, `=:=` of Erlang) have equal hashes. Floats are equal when their bits are (OTP 27: `0.0 =/= -0.0`).
//! Not here: order (`order`), arithmetic (`number`), text (`print`).

mod atom;
pub mod binary;
pub(crate) mod deep;
mod fun;
mod large;
mod map;
pub mod number;
pub mod order;
mod pid;
pub mod pretty;
pub mod print;
mod trace;

pub use atom::Atom;
pub use binary::Bits;
pub use fun::{Fun, FunKind};
pub use map::Map;
pub use pid::{Pid, Reference};
pub use trace::{StackEntry, Trace};

use foresee_stdx::{halt, mix};
use num_bigint::BigInt;
use smallvec::SmallVec;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A value.
#[derive(Clone)]
pub enum Term {
    Int(i64),
    Atom(Atom),
    Nil,
    Float(f64),
    Pid(Pid),
    /// Fields of a [`Reference`], flat to keep a term at 16 bytes.
    Ref(Pid, u32),
    Cons(Arc<Cons>),
    Tuple(Arc<Tuple>),
    /// An integer that does not fit 64 bits.
    Big(Arc<BigInt>),
    Bits(Arc<Bits>),
    Map(Arc<Map>),
    Fun(Arc<Fun>),
    /// A stack trace, which is a list to the program but no part of a state's identity.
    Trace(Arc<Trace>),
}

/// A list cell.
pub struct Cons {
    pub head: Term,
    pub tail: Term,
    hash: u64,
}

/// What a cell takes in memory, counts and the allocator's own included.
pub(crate) const CELL_BYTES: usize = size_of::<Cons>() + 24;

/// A tuple.
pub struct Tuple {
    items: SmallVec<[Term; 3]>,
    hash: u64,
}

impl Tuple {
    pub fn items(&self) -> &[Term] {
        &self.items
    }
}

/// Long lists and deep terms are freed in a loop; the derived way would recurse once per element and level.
impl Drop for Cons {
    fn drop(&mut self) {
        let mut tail = deep::take(&mut self.tail);
        loop {
            if deep::is_compound(&self.head) {
                deep::free([deep::take(&mut self.head)].into_iter().collect());
            }
            let Term::Cons(cell) = tail else { break };
            let Some(mut cell) = Arc::into_inner(cell) else { return };
            self.head = deep::take(&mut cell.head);
            tail = deep::take(&mut cell.tail);
        }
        if deep::is_compound(&tail) {
            deep::free([tail].into_iter().collect());
        }
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        if self.items.iter().any(deep::is_compound) {
            let parts = self.items.iter_mut().filter(|it| deep::is_compound(it));
            deep::free(parts.map(deep::take).collect());
        }
    }
}

#[inline]
fn combine(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9E37_79B9_7F4A_7C15) * u128::from(b ^ 0xD6E8_FEB8_6659_FD93);
    (product as u64) ^ ((product >> 64) as u64) ^ a.rotate_left(17)
}

impl Term {
    pub fn atom(text: &str) -> Term {
        Term::Atom(Atom::new(text))
    }

    pub fn bool(value: bool) -> Term {
        if value { a!("true") } else { a!("false") }
    }

    #[inline]
    pub fn cons(head: Term, tail: Term) -> Term {
        let hash = combine(head.content_hash(), tail.content_hash() ^ 0xC0);
        Term::Cons(Arc::new(Cons { head, tail, hash }))
    }

    #[inline]
    pub fn tuple(items: impl IntoIterator<Item = Term>) -> Term {
        Term::tuple_of(items.into_iter().collect())
    }

    pub fn tuple_of(items: SmallVec<[Term; 3]>) -> Term {
        let hash = items
            .iter()
            .fold(0x7570 + items.len() as u64, |hash, item| combine(hash, item.content_hash()));
        Term::Tuple(Arc::new(Tuple { items, hash }))
    }

    /// A proper list.
    pub fn list(items: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>) -> Term {
        Term::list_with_tail(items, Term::Nil)
    }

    pub fn list_with_tail(
        items: impl IntoIterator<Item = Term, IntoIter: DoubleEndedIterator>,
        tail: Term,
    ) -> Term {
        let items = items.into_iter();
        halt::ask(items.size_hint().0.saturating_mul(CELL_BYTES));
        items.rev().fold(tail, |tail, head| Term::cons(head, tail))
    }

    /// A list of the characters of `text`.
    pub fn string(text: &str) -> Term {
        text.chars().rev().fold(Term::Nil, |tail, c| Term::cons(Term::Int(c as i64), tail))
    }

    pub fn binary(bytes: &[u8]) -> Term {
        Term::Bits(Arc::new(Bits::from_bytes(bytes)))
    }

    pub fn bits(bits: Bits) -> Term {
        Term::Bits(Arc::new(bits))
    }

    pub fn map(map: Map) -> Term {
        Term::Map(Arc::new(map))
    }

    pub fn fun(fun: Fun) -> Term {
        Term::Fun(Arc::new(fun))
    }

    pub fn reference(reference: Reference) -> Term {
        Term::Ref(reference.owner, reference.n)
    }

    pub fn as_atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(*atom),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<i64> {
        match self {
            Term::Int(n) => Some(*n),
            _ => None,
        }
    }

    /// The value as an index, size or count.
    pub fn as_usize(&self) -> Option<usize> {
        self.as_int().and_then(|n| usize::try_from(n).ok())
    }

    pub fn as_pid(&self) -> Option<Pid> {
        match self {
            Term::Pid(pid) => Some(*pid),
            _ => None,
        }
    }

    pub fn as_reference(&self) -> Option<Reference> {
        match self {
            Term::Ref(owner, n) => Some(Reference { owner: *owner, n: *n }),
            _ => None,
        }
    }

    pub fn as_tuple(&self) -> Option<&[Term]> {
        match self {
            Term::Tuple(tuple) => Some(&tuple.items),
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        let atom = self.as_atom()?;
        if atom == atom!("true") {
            Some(true)
        } else if atom == atom!("false") {
            Some(false)
        } else {
            None
        }
    }

    pub fn as_map(&self) -> Option<&Arc<Map>> {
        match self {
            Term::Map(map) => Some(map),
            _ => None,
        }
    }

    pub fn as_bits(&self) -> Option<&Arc<Bits>> {
        match self {
            Term::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn is_atom(&self, atom: Atom) -> bool {
        matches!(self, Term::Atom(own) if *own == atom)
    }

    /// The cells of a list, then whatever ends it.
    pub fn cells(&self) -> Cells<'_> {
        Cells { rest: self }
    }

    /// The elements of a proper list.
    pub fn to_vec(&self) -> Option<Vec<Term>> {
        if let Term::Trace(trace) = self {
            return trace.to_term().to_vec();
        }
        let mut cells = self.cells();
        let items: Vec<Term> = cells.by_ref().cloned().collect();
        matches!(cells.rest, Term::Nil).then_some(items)
    }

    /// A list of characters as text.
    pub fn to_text(&self) -> Option<String> {
        let mut cells = self.cells();
        let text: Option<String> = cells
            .by_ref()
            .map(|item| item.as_int().and_then(|c| char::from_u32(u32::try_from(c).ok()?)))
            .collect();
        if matches!(cells.rest, Term::Nil) { text } else { None }
    }

    /// The same everywhere for equal terms.
    #[inline]
    pub fn content_hash(&self) -> u64 {
        match self {
            Term::Int(n) => mix(*n as u64 ^ 0x696E_7400),
            Term::Atom(atom) => atom.content_hash(),
            Term::Nil => 0x6E69_6C6E_696C_6E69,
            Term::Float(x) => mix(x.to_bits() ^ 0x666C_6F61),
            Term::Pid(pid) => pid.content_hash(),
            Term::Ref(owner, n) => Reference { owner: *owner, n: *n }.content_hash(),
            Term::Cons(cell) => cell.hash,
            Term::Tuple(tuple) => tuple.hash,
            Term::Big(big) => foresee_stdx::stable_hash(&**big),
            Term::Bits(bits) => bits.content_hash(),
            Term::Map(map) => map.content_hash(),
            Term::Fun(fun) => fun.content_hash(),
            Term::Trace(_) => 0x7472_6163_6500_0000,
        }
    }

    /// Calls `visit` on every pid and reference inside.
    pub fn visit_identifiers(&self, visit: &mut impl FnMut(&Term)) {
        self.visit_identifiers_at(0, visit);
    }

    fn visit_identifiers_at(&self, level: usize, visit: &mut impl FnMut(&Term)) {
        if level > deep::LEVELS_MAX {
            return deep::visit_identifiers(self, visit);
        }
        let below = level + 1;
        match self {
            Term::Pid(_) | Term::Ref(..) => visit(self),
            Term::Cons(_) => {
                halt::pace();
                let mut rest = self;
                while let Term::Cons(cell) = rest {
                    cell.head.visit_identifiers_at(below, visit);
                    rest = &cell.tail;
                }
                rest.visit_identifiers_at(below, visit);
            }
            Term::Tuple(tuple) => {
                halt::pace();
                tuple.items.iter().for_each(|t| t.visit_identifiers_at(below, visit));
            }
            Term::Map(map) => map.entries().iter().for_each(|(k, v)| {
                k.visit_identifiers_at(below, visit);
                v.visit_identifiers_at(below, visit);
            }),
            Term::Fun(fun) => {
                fun.environment().iter().for_each(|t| t.visit_identifiers_at(below, visit));
            }
            _ => {}
        }
    }

    /// Exact equality of terms that stand so many levels inside others.
    fn is_equal_at(&self, other: &Term, level: usize) -> bool {
        let below = level + 1;
        match (self, other) {
            (Term::Int(a), Term::Int(b)) => a == b,
            (Term::Atom(a), Term::Atom(b)) => a == b,
            (Term::Nil, Term::Nil) | (Term::Trace(_), Term::Trace(_)) => true,
            (Term::Float(a), Term::Float(b)) => a.to_bits() == b.to_bits(),
            (Term::Pid(a), Term::Pid(b)) => a == b,
            (Term::Ref(a, n), Term::Ref(b, m)) => n == m && a == b,
            (Term::Big(a), Term::Big(b)) => a == b,
            (Term::Bits(a), Term::Bits(b)) => Arc::ptr_eq(a, b) || a == b,
            (Term::Trace(trace), list @ (Term::Cons(_) | Term::Nil))
            | (list @ (Term::Cons(_) | Term::Nil), Term::Trace(trace)) => trace.to_term() == *list,
            _ if level > deep::LEVELS_MAX => deep::equal(self, other),
            (Term::Cons(_), Term::Cons(_)) => equal_lists(self, other, below),
            (Term::Tuple(a), Term::Tuple(b)) => {
                Arc::ptr_eq(a, b) || (a.hash == b.hash && equal_slices(&a.items, &b.items, below))
            }
            (Term::Map(a), Term::Map(b)) => Arc::ptr_eq(a, b) || a.is_equal_at(b, below),
            (Term::Fun(a), Term::Fun(b)) => {
                Arc::ptr_eq(a, b)
                    || a.is_same_code(b) && equal_slices(a.environment(), b.environment(), below)
            }
            _ => false,
        }
    }
}

/// Iterates over the heads of a list.
pub struct Cells<'a> {
    rest: &'a Term,
}

impl<'a> Cells<'a> {
    /// What is left: `[]` after a proper list.
    pub fn rest(&self) -> &'a Term {
        self.rest
    }
}

impl<'a> Iterator for Cells<'a> {
    type Item = &'a Term;
    fn next(&mut self) -> Option<&'a Term> {
        match self.rest {
            Term::Cons(cell) => {
                self.rest = &cell.tail;
                Some(&cell.head)
            }
            _ => None,
        }
    }
}

/// Exact equality, Erlang's `=:=`.
impl PartialEq for Term {
    #[inline]
    fn eq(&self, other: &Term) -> bool {
        self.is_equal_at(other, 0)
    }
}

/// Terms may share parts, and what is walked may be much longer than what is held.
fn equal_slices(a: &[Term], b: &[Term], level: usize) -> bool {
    halt::pace();
    a.len() == b.len() && a.iter().zip(b).all(|(x, y)| x.is_equal_at(y, level))
}

fn equal_lists(mut a: &Term, mut b: &Term, level: usize) -> bool {
    halt::pace();
    while let (Term::Cons(x), Term::Cons(y)) = (a, b) {
        if Arc::ptr_eq(x, y) {
            return true;
        }
        if x.hash != y.hash || !x.head.is_equal_at(&y.head, level) {
            return false;
        }
        (a, b) = (&x.tail, &y.tail);
    }
    a.is_equal_at(b, level)
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.content_hash());
    }
}

impl From<i64> for Term {
    fn from(n: i64) -> Term {
        Term::Int(n)
    }
}

impl From<usize> for Term {
    fn from(n: usize) -> Term {
        Term::Int(n as i64)
    }
}

impl std::fmt::Debug for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print::quoted(self))
    }
}

/// As `~p` on one line.
impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&print::readable(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_two_words() {
        assert_eq!(size_of::<Term>(), 16);
    }

    #[test]
    fn a_long_list_is_freed_without_recursion() {
        let list = Term::list((0..1_000_000).map(Term::Int));
        let same = Term::list((0..1_000_000).map(Term::Int));
        assert!(list == same);
        drop(list);
    }

    #[test]
    fn equal_content_has_equal_hash() {
        let one = Term::tuple([a!("x"), Term::list([Term::Int(1), Term::Float(2.0)])]);
        let two = Term::tuple([a!("x"), Term::list([Term::Int(1), Term::Float(2.0)])]);
        assert_eq!(one.content_hash(), two.content_hash());
        assert_eq!(one, two);
        assert_ne!(Term::Int(1), Term::Float(1.0));
    }
}
