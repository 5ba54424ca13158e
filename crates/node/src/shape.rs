//! The shape of a type as serde sees it: names, fields and variants, for telling two versions of a protocol apart.
//! Why: two processes whose message types differ would misread each other's bytes, or worse, read them as something else.
//! A type says what it is made of when it is read: so it is read from a source of dummy values that writes down every question it
//! is asked. Enums are asked once for each variant, in turn.
//! Invariant: a function of the type alone; the same in every process built from the same code.
//! Known limit: what a hand-written `Deserialize` refuses among dummy values is written down up to there.

use foresee_stdx::stable_hash;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::any::type_name;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// How deep a value is followed before its optional parts are left out.
const DEPTH: usize = 12;
/// So many readings in a row that ask nothing new end the questions.
const QUIET: usize = 200;
const READINGS_MAX: usize = 5_000;

/// What a message type looks like on a wire.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Schema {
    pub type_name: &'static str,
    /// Every way the type was read, one a line.
    pub text: String,
    pub hash: u64,
}

impl Schema {
    /// The schema of a type.
    ///
    /// ```
    /// use foresee_node::Schema;
    /// use serde::Deserialize;
    /// #[derive(Deserialize)] enum Message { Put { key: u32 }, Get(String) }
    /// let schema = Schema::of::<Message>();
    /// assert_eq!(schema.text, "Message::Get(str)\nMessage::Put{key:u32}\n");
    /// ```
    pub fn of<T: DeserializeOwned>() -> Self {
        let mut book = Book::default();
        let mut seen = BTreeSet::new();
        let mut quiet = 0;
        for _ in 0..READINGS_MAX {
            book.text.clear();
            let _ = T::deserialize(Probe { book: &mut book, depth: 0 });
            quiet = if seen.insert(book.text.clone()) { 0 } else { quiet + 1 };
            if quiet == QUIET || book.turns.is_empty() {
                break;
            }
        }
        let text: String = seen.iter().map(|line| format!("{line}\n")).collect();
        let type_name = type_name::<T>();
        Schema { type_name, hash: stable_hash(&(type_name, &text)), text }
    }
}

#[derive(Default)]
struct Book {
    text: String,
    /// For each enum, how often it was asked for: its variants come in turn.
    turns: BTreeMap<&'static str, usize>,
}

struct Probe<'a> {
    book: &'a mut Book,
    depth: usize,
}

type Refusal = serde::de::value::Error;

impl Probe<'_> {
    fn inner(&mut self) -> Probe<'_> {
        Probe { depth: self.depth + 1, book: self.book }
    }

    fn is_deep(&self) -> bool {
        self.depth >= DEPTH
    }

    /// Parts one after another, with names where there are some.
    fn parts<'de, V: Visitor<'de>>(
        mut self,
        names: &'static [&'static str],
        n: usize,
        brackets: [char; 2],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        if self.depth > 2 * DEPTH {
            return Err(Refusal::custom("nested without end"));
        }
        self.book.text.push(brackets[0]);
        let value = visitor.visit_seq(Parts { probe: self.inner(), names, n, next: 0 })?;
        self.book.text.push(brackets[1]);
        Ok(value)
    }
}

macro_rules! plain {
    ($($method:ident $visit:ident $value:expr, $word:literal;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
            self.book.text.push_str($word);
            visitor.$visit($value)
        }
    )*};
}

impl<'de> Deserializer<'de> for Probe<'_> {
    type Error = Refusal;

    plain! {
        deserialize_bool visit_bool false, "bool";
        deserialize_i8 visit_i8 0, "i8";
        deserialize_i16 visit_i16 0, "i16";
        deserialize_i32 visit_i32 0, "i32";
        deserialize_i64 visit_i64 0, "i64";
        deserialize_i128 visit_i128 0, "i128";
        deserialize_u8 visit_u8 0, "u8";
        deserialize_u16 visit_u16 0, "u16";
        deserialize_u32 visit_u32 0, "u32";
        deserialize_u64 visit_u64 0, "u64";
        deserialize_u128 visit_u128 0, "u128";
        deserialize_f32 visit_f32 0.0, "f32";
        deserialize_f64 visit_f64 0.0, "f64";
        deserialize_char visit_char 'a', "char";
        deserialize_str visit_str "a", "str";
        deserialize_string visit_str "a", "str";
        deserialize_bytes visit_bytes b"a", "bytes";
        deserialize_byte_buf visit_bytes b"a", "bytes";
        deserialize_identifier visit_str "a", "name";
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.book.text.push_str("()");
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Refusal> {
        self.book.text.push_str("any");
        Err(Refusal::custom("what describes itself has no fixed shape"))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refusal> {
        self.book.text.push('?');
        if self.is_deep() { visitor.visit_none() } else { visitor.visit_some(self.inner()) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.book.text.push_str(name);
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.book.text.push_str(name);
        self.book.text.push('(');
        let value = visitor.visit_newtype_struct(self.inner())?;
        self.book.text.push(')');
        Ok(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let n = usize::from(!self.is_deep());
        self.parts(&[], n, ['[', ']'], visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.parts(&[], len, ['(', ')'], visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.book.text.push_str(name);
        self.parts(&[], len, ['(', ')'], visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Refusal> {
        let n = usize::from(!self.is_deep());
        self.book.text.push_str("map[");
        let value =
            visitor.visit_map(Parts { probe: self.inner(), names: &[], n: 2 * n, next: 0 })?;
        self.book.text.push(']');
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.book.text.push_str(name);
        self.parts(fields, fields.len(), ['{', '}'], visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        if variants.is_empty() || self.depth > 2 * DEPTH {
            return Err(Refusal::custom("nothing to choose"));
        }
        let turn = self.book.turns.entry(name).or_default();
        let choice = *turn % variants.len();
        *turn += 1;
        let _ = write!(self.book.text, "{name}::{}", variants[choice]);
        visitor.visit_enum(Choice { probe: self.inner(), choice: choice as u32 })
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

struct Parts<'a> {
    probe: Probe<'a>,
    names: &'static [&'static str],
    n: usize,
    next: usize,
}

impl Parts<'_> {
    fn part<'de, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        if self.next == self.n {
            return Ok(None);
        }
        if self.next > 0 {
            self.probe.book.text.push(',');
        }
        if let Some(name) = self.names.get(self.next) {
            let _ = write!(self.probe.book.text, "{name}:");
        }
        self.next += 1;
        seed.deserialize(self.probe.inner()).map(Some)
    }
}

impl<'de> SeqAccess<'de> for Parts<'_> {
    type Error = Refusal;
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Refusal> {
        self.part(seed)
    }
}

impl<'de> MapAccess<'de> for Parts<'_> {
    type Error = Refusal;
    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Refusal> {
        self.part(seed)
    }
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        self.part(seed)?.ok_or_else(|| Refusal::custom("a key without a value"))
    }
}

struct Choice<'a> {
    probe: Probe<'a>,
    choice: u32,
}

impl<'de> EnumAccess<'de> for Choice<'_> {
    type Error = Refusal;
    type Variant = Self;
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Refusal> {
        let value =
            seed.deserialize(IntoDeserializer::<Refusal>::into_deserializer(self.choice))?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Choice<'_> {
    type Error = Refusal;

    fn unit_variant(self) -> Result<(), Refusal> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        mut self,
        seed: T,
    ) -> Result<T::Value, Refusal> {
        self.probe.book.text.push('(');
        let value = seed.deserialize(self.probe.inner())?;
        self.probe.book.text.push(')');
        Ok(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Refusal> {
        self.probe.parts(&[], len, ['(', ')'], visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        self.probe.parts(fields, fields.len(), ['{', '}'], visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Address, KeyValueCommand};
    use serde::Deserialize;

    #[test]
    fn nested_enums_are_followed_to_every_variant() {
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only read")]
        enum Inner {
            A,
            B(Vec<u8>),
            C,
        }
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only read")]
        enum Outer {
            Empty,
            Full { to: Address, inner: Option<Inner> },
        }
        let text = Schema::of::<Outer>().text;
        let full = "Outer::Full{to:foresee::Address(str),inner:?Inner::";
        for (variant, rest) in [("A", "}"), ("B", "([u8])}"), ("C", "}")] {
            assert!(text.contains(&format!("{full}{variant}{rest}\n")), "{text}");
        }
        assert!(text.contains("Outer::Empty\n"));
    }

    #[test]
    fn a_type_that_holds_itself_ends() {
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only read")]
        struct List {
            head: u8,
            tail: Option<Box<List>>,
        }
        assert!(Schema::of::<List>().text.starts_with("List{head:u8,tail:?List{"));
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only read")]
        enum Term {
            Both(Box<Term>, Box<Term>),
            Leaf,
        }
        assert!(Schema::of::<Term>().text.contains("Term::Leaf"));
    }

    #[test]
    fn a_changed_field_is_another_schema() {
        mod old {
            #[derive(serde::Deserialize)]
            #[allow(dead_code, reason = "only read")]
            pub(super) struct Message {
                pub(super) n: u32,
            }
        }
        mod new {
            #[derive(serde::Deserialize)]
            #[allow(dead_code, reason = "only read")]
            pub(super) struct Message {
                pub(super) n: u64,
            }
        }
        assert_ne!(Schema::of::<old::Message>().text, Schema::of::<new::Message>().text);
        let command = Schema::of::<KeyValueCommand>();
        assert_eq!(command, Schema::of::<KeyValueCommand>());
        assert_eq!(command.text.lines().count(), 4, "{}", command.text);
    }
}
