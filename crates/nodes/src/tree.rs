//! Trees from any serializable value: what the debugger unfolds and reports print.
//! Why: `Debug` gives text, which cannot be unfolded or compared field by field; every node is `Serialize` anyway, and
//! serde names structs, fields and variants.

use foresee_lts::Tree;
use foresee_node::{ADDRESS_IN_SERDE, WORKLOAD_IN_SERDE, WORKLOAD_TEXT_IN_SERDE};
use serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use std::fmt;

/// The parts of a value, named as in its type.
///
/// ```
/// use foresee_nodes::tree_of;
/// #[derive(serde::Serialize)]
/// struct Ballot { round: u32, leader: Option<&'static str> }
/// let tree = tree_of(&Ballot { round: 2, leader: Some("server1") });
/// assert_eq!(tree.one_line(), r#"Ballot { round: 2, leader: Some("server1") }"#);
/// ```
pub fn tree_of<T: Serialize + ?Sized>(value: &T) -> Tree {
    match value.serialize(Builder) {
        Ok(tree) => tree,
        Err(Unserializable(reason)) => Tree::leaf(format!("<{reason}>")),
    }
}

/// A value refused to be serialized; the tree then says so.
#[derive(Debug)]
struct Unserializable(String);

impl fmt::Display for Unserializable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unserializable {}

impl serde::ser::Error for Unserializable {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Unserializable(message.to_string())
    }
}

type Built<T = Tree> = Result<T, Unserializable>;

struct Builder;

/// A sequence, tuple or tuple variant under construction.
struct Items {
    name: String,
    items: Vec<Tree>,
}

/// A struct or struct variant under construction.
struct Fields {
    name: String,
    fields: Vec<(String, Tree)>,
}

/// A map under construction.
#[derive(Default)]
struct Entries {
    key: Option<Tree>,
    entries: Vec<(Tree, Tree)>,
}

fn leaf(value: impl fmt::Debug) -> Built {
    Ok(Tree::leaf(format!("{value:?}")))
}

impl Items {
    fn named(name: &str) -> Built<Self> {
        Ok(Items { name: name.to_owned(), items: Vec::new() })
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        self.items.push(value.serialize(Builder)?);
        Ok(())
    }

    fn finish(self) -> Built {
        Ok(Tree::List { name: self.name, items: self.items })
    }
}

impl Fields {
    fn named(name: &str) -> Built<Self> {
        Ok(Fields { name: name.to_owned(), fields: Vec::new() })
    }

    fn push<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Built<()> {
        self.fields.push((name.to_owned(), value.serialize(Builder)?));
        Ok(())
    }

    fn finish(self) -> Built {
        if self.name == WORKLOAD_IN_SERDE {
            let mut fields = self.fields.into_iter();
            let text = fields.find(|(name, _)| name == WORKLOAD_TEXT_IN_SERDE);
            return Ok(text.expect("a workload has a text").1);
        }
        Ok(Tree::Record { name: self.name, fields: self.fields })
    }
}

impl Serializer for Builder {
    type Ok = Tree;
    type Error = Unserializable;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Fields;
    type SerializeStructVariant = Fields;

    fn serialize_bool(self, value: bool) -> Built {
        leaf(value)
    }
    fn serialize_i8(self, value: i8) -> Built {
        leaf(value)
    }
    fn serialize_i16(self, value: i16) -> Built {
        leaf(value)
    }
    fn serialize_i32(self, value: i32) -> Built {
        leaf(value)
    }
    fn serialize_i64(self, value: i64) -> Built {
        leaf(value)
    }
    fn serialize_i128(self, value: i128) -> Built {
        leaf(value)
    }
    fn serialize_u8(self, value: u8) -> Built {
        leaf(value)
    }
    fn serialize_u16(self, value: u16) -> Built {
        leaf(value)
    }
    fn serialize_u32(self, value: u32) -> Built {
        leaf(value)
    }
    fn serialize_u64(self, value: u64) -> Built {
        leaf(value)
    }
    fn serialize_u128(self, value: u128) -> Built {
        leaf(value)
    }
    fn serialize_f32(self, value: f32) -> Built {
        leaf(value)
    }
    fn serialize_f64(self, value: f64) -> Built {
        leaf(value)
    }
    fn serialize_char(self, value: char) -> Built {
        leaf(value)
    }
    fn serialize_str(self, value: &str) -> Built {
        leaf(value)
    }
    fn serialize_bytes(self, value: &[u8]) -> Built {
        let mut items = Items::named("")?;
        value.iter().try_for_each(|byte| items.push(byte))?;
        items.finish()
    }
    fn serialize_none(self) -> Built {
        Ok(Tree::leaf("None"))
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Built {
        self.serialize_newtype_struct("Some", value)
    }
    fn serialize_unit(self) -> Built {
        Ok(Tree::leaf("()"))
    }
    fn serialize_unit_struct(self, name: &'static str) -> Built {
        Ok(Tree::leaf(name))
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Built {
        Ok(Tree::leaf(variant))
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Built {
        let inner = value.serialize(Builder)?;
        match inner {
            Tree::Leaf(text) if name == ADDRESS_IN_SERDE => Ok(Tree::leaf(text.trim_matches('"'))),
            inner => Ok(Tree::List { name: name.to_owned(), items: vec![inner] }),
        }
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Built {
        self.serialize_newtype_struct(variant, value)
    }
    fn serialize_seq(self, _: Option<usize>) -> Built<Items> {
        Items::named("")
    }
    fn serialize_tuple(self, _: usize) -> Built<Items> {
        Items::named("")
    }
    fn serialize_tuple_struct(self, name: &'static str, _: usize) -> Built<Items> {
        Items::named(name)
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Built<Items> {
        Items::named(variant)
    }
    fn serialize_map(self, _: Option<usize>) -> Built<Entries> {
        Ok(Entries::default())
    }
    fn serialize_struct(self, name: &'static str, _: usize) -> Built<Fields> {
        Fields::named(name)
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Built<Fields> {
        Fields::named(variant)
    }
}

impl SerializeSeq for Items {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        self.push(value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeTuple for Items {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        self.push(value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeTupleStruct for Items {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        self.push(value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeTupleVariant for Items {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        self.push(value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeStruct for Fields {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Built<()> {
        self.push(name, value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeStructVariant for Fields {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Built<()> {
        self.push(name, value)
    }
    fn end(self) -> Built {
        self.finish()
    }
}

impl SerializeMap for Entries {
    type Ok = Tree;
    type Error = Unserializable;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Built<()> {
        self.key = Some(key.serialize(Builder)?);
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Built<()> {
        let key = self.key.take().ok_or_else(|| Unserializable::custom("a value without a key"))?;
        self.entries.push((key, value.serialize(Builder)?));
        Ok(())
    }
    fn end(self) -> Built {
        Ok(Tree::Map(self.entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Address;
    use serde::Serialize;
    use std::collections::{BTreeMap, BTreeSet};

    #[derive(Debug, Serialize)]
    enum Kind {
        Unit,
        New(u8),
        Tuple(i64, bool),
        Struct { from: Address, text: &'static str },
    }

    #[derive(Debug, Serialize)]
    struct Whole {
        kinds: Vec<Kind>,
        nothing: Option<u8>,
        something: Option<char>,
        pairs: BTreeMap<u8, &'static str>,
        set: BTreeSet<i8>,
        unit: (),
    }

    #[test]
    fn a_tree_reads_as_debug_does() {
        let from = Address::new("server2");
        let whole = Whole {
            kinds: vec![
                Kind::Unit,
                Kind::New(1),
                Kind::Tuple(-2, true),
                Kind::Struct { from, text: "a \"b\"" },
            ],
            nothing: None,
            something: Some('x'),
            pairs: BTreeMap::from([(1, "one")]),
            set: BTreeSet::new(),
            unit: (),
        };
        let debug = format!("{whole:?}").replace("set: {}", "set: []");
        assert_eq!(tree_of(&whole).one_line(), debug);
    }

    #[test]
    fn a_value_that_cannot_be_serialized_says_so() {
        struct Stubborn;
        impl Serialize for Stubborn {
            fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
                Err(S::Error::custom("not today"))
            }
        }
        assert_eq!(tree_of(&Stubborn), Tree::leaf("<not today>"));
    }
}
