//! Types: unions, ranges, and everything specs can say.

use super::exprs::{binary_op, prefix_op};
use super::{CHAIN_MAX, Parsed, Parser};
use crate::token::{Keyword, Sym, Tok};
use crate::tree::{Associativity, FunType, Ident, MapFieldType, Type, TypeKind};

impl Parser<'_> {
    /// `Name :: T`, `A | B`, or anything tighter.
    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.deeper(Self::union)
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Parsed<Type>) -> Parsed<Type> {
        self.inside(read)
    }

    fn union(&mut self) -> Parsed<Type> {
        let start = self.span();
        if let Tok::Var(name) = self.tok()
            && self.ahead(1).kind.is(Sym::Colons)
        {
            let name = Ident { name: name.clone(), span: self.bump().span };
            self.bump();
            let ty = Box::new(self.ty()?);
            return Ok(self.type_from(start, TypeKind::Annotated { name, ty }));
        }
        let first = self.type_operators(0)?;
        if !self.is(Sym::Bar) {
            return Ok(first);
        }
        let mut members = vec![first];
        while self.eat(Sym::Bar) {
            members.push(self.union_member()?);
        }
        Ok(self.type_from(start, TypeKind::Union(members)))
    }

    fn union_member(&mut self) -> Parsed<Type> {
        let annotated = matches!(self.tok(), Tok::Var(_)) && self.ahead(1).kind.is(Sym::Colons);
        if annotated { self.ty() } else { self.type_operators(0) }
    }

    /// Integer arithmetic and ranges.
    fn type_operators(&mut self, level_min: u16) -> Parsed<Type> {
        const RANGE_LEVEL: u16 = 200;
        let start = self.span();
        let mut left = self.type_prefix()?;
        for _ in 0..CHAIN_MAX {
            if self.is(Sym::Range) && level_min <= RANGE_LEVEL {
                self.bump();
                let right = self.type_operators(RANGE_LEVEL + 1)?;
                self.taller()?;
                left = self.type_from(start, TypeKind::Range(Box::new(left), Box::new(right)));
                continue;
            }
            let op = binary_op(self.tok()).filter(|op| {
                op.level() >= 400
                    && op.associativity() == Associativity::Left
                    && op.level() >= level_min
            });
            let Some(op) = op else { return Ok(left) };
            let op_span = self.bump().span;
            let right = Box::new(self.type_operators(op.level() + 1)?);
            self.taller()?;
            let kind = TypeKind::Binary2 { op, op_span, left: Box::new(left), right };
            left = self.type_from(start, kind);
        }
        self.too_deep()
    }

    fn type_prefix(&mut self) -> Parsed<Type> {
        let Some(op) = prefix_op(self.tok()) else { return self.type_primary() };
        let start = self.bump().span;
        let operand = Box::new(self.deeper(Self::type_prefix)?);
        Ok(self.type_from(start, TypeKind::Unary { op, operand }))
    }

    fn type_primary(&mut self) -> Parsed<Type> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Var(name) => TypeKind::Var(name.clone()),
            Tok::Integer(value) => TypeKind::Integer(value.clone()),
            Tok::Char(value) => TypeKind::Char(*value),
            Tok::Atom(_) | Tok::Quoted(_) => return self.named_type(),
            Tok::Sym(Sym::Open) => {
                self.open_sym(Sym::Open, Sym::Close);
                let inner = self.ty()?;
                self.close(Sym::Close)?;
                return Ok(inner);
            }
            Tok::Sym(Sym::ListOpen) => return self.list_type(),
            Tok::Sym(Sym::BraceOpen) => {
                self.open_sym(Sym::BraceOpen, Sym::BraceClose);
                let elements = self.type_list(Sym::BraceClose)?;
                self.close(Sym::BraceClose)?;
                return Ok(self.type_from(start, TypeKind::Tuple(elements)));
            }
            Tok::Sym(Sym::Hash) => return self.hash_type(),
            Tok::Sym(Sym::BinaryOpen) => return self.bitstring_type(),
            Tok::Keyword(Keyword::Fun) => return self.fun_keyword_type(),
            Tok::Poison => {
                self.bump();
                if self.is(Sym::Open) {
                    self.open_sym(Sym::Open, Sym::Close);
                    self.type_list(Sym::Close)?;
                    self.close(Sym::Close)?;
                }
                return Ok(self.type_from(start, TypeKind::Error));
            }
            _ => return self.unexpected("a type"),
        };
        self.bump();
        Ok(Type { kind, span: start })
    }

    /// `atom`, `name(T)`, `m:name(T)`
    fn named_type(&mut self) -> Parsed<Type> {
        let start = self.span();
        let mut name = self.ident("a type")?;
        let mut module = None;
        if self.eat(Sym::Colon) {
            module = Some(name);
            name = self.ident("a type's name after `:`")?;
        } else if !self.is(Sym::Open) {
            return Ok(Type { kind: TypeKind::Atom(name.name), span: start });
        }
        if !self.is(Sym::Open) {
            return self.unexpected("`(` after a type's name");
        }
        self.open_sym(Sym::Open, Sym::Close);
        let args = self.type_list(Sym::Close)?;
        self.close(Sym::Close)?;
        Ok(self.type_from(start, TypeKind::Named { module, name, args }))
    }

    fn type_list(&mut self, closer: Sym) -> Parsed<Vec<Type>> {
        let mut types = Vec::new();
        if self.is(closer) {
            return Ok(types);
        }
        loop {
            types.push(self.ty()?);
            if !self.eat(Sym::Comma) {
                return Ok(types);
            }
        }
    }

    fn list_type(&mut self) -> Parsed<Type> {
        let start = self.open_sym(Sym::ListOpen, Sym::ListClose);
        let kind = if self.is(Sym::ListClose) {
            TypeKind::Nil
        } else {
            let element = Box::new(self.ty()?);
            if self.eat(Sym::Comma) {
                self.expect(Sym::Ellipsis, "in the type of a non-empty list")?;
                TypeKind::NonEmptyList(element)
            } else {
                TypeKind::List(element)
            }
        };
        self.close(Sym::ListClose)?;
        Ok(self.type_from(start, kind))
    }

    /// `#{…}` and `#record{…}`
    fn hash_type(&mut self) -> Parsed<Type> {
        let start = self.bump().span;
        if self.is(Sym::BraceOpen) {
            self.open_sym(Sym::BraceOpen, Sym::BraceClose);
            let mut fields = Vec::new();
            while !self.is(Sym::BraceClose) {
                fields.push(self.map_field_type()?);
                if !self.eat(Sym::Comma) {
                    break;
                }
            }
            self.close(Sym::BraceClose)?;
            return Ok(self.type_from(start, TypeKind::Map(fields)));
        }
        let name = self.ident("a record's name or `{` after `#`")?;
        if !self.is(Sym::BraceOpen) {
            return self.unexpected("`{` after a record's name");
        }
        self.open_sym(Sym::BraceOpen, Sym::BraceClose);
        let mut fields = Vec::new();
        while !self.is(Sym::BraceClose) {
            let field = self.ident("a field's name")?;
            self.expect(Sym::Colons, "before the field's type")?;
            fields.push((field, self.ty()?));
            if !self.eat(Sym::Comma) {
                break;
            }
        }
        self.close(Sym::BraceClose)?;
        Ok(self.type_from(start, TypeKind::Record { name, fields }))
    }

    fn map_field_type(&mut self) -> Parsed<MapFieldType> {
        let key = self.ty()?;
        let required = match self.tok() {
            Tok::Sym(Sym::Assign) => true,
            Tok::Sym(Sym::FatArrow) => false,
            _ => return self.unexpected("`=>` or `:=`"),
        };
        self.bump();
        let value = self.ty()?;
        let span = key.span.to(self.previous_span());
        Ok(MapFieldType { key, value, required, span })
    }

    /// `<<>>`, `<<_:M>>`, `<<_:_*N>>`, `<<_:M, _:_*N>>`
    fn bitstring_type(&mut self) -> Parsed<Type> {
        let start = self.open_sym(Sym::BinaryOpen, Sym::BinaryClose);
        let (mut fixed, mut unit) = (None, None);
        while matches!(self.tok(), Tok::Var(_)) {
            self.bump();
            self.expect(Sym::Colon, "after `_`")?;
            if matches!(self.tok(), Tok::Var(_)) {
                self.bump();
                self.expect(Sym::Star, "after `_:_`")?;
                unit = Some(Box::new(self.type_operators(600)?));
            } else {
                fixed = Some(Box::new(self.type_operators(0)?));
            }
            if !self.eat(Sym::Comma) {
                break;
            }
        }
        self.close(Sym::BinaryClose)?;
        Ok(self.type_from(start, TypeKind::Bitstring { fixed, unit }))
    }

    fn fun_keyword_type(&mut self) -> Parsed<Type> {
        let start = self.bump().span;
        if !self.is(Sym::Open) {
            return self.unexpected("`(` after `fun`");
        }
        self.open_sym(Sym::Open, Sym::Close);
        if self.is(Sym::Close) {
            self.close(Sym::Close)?;
            return Ok(self.type_from(start, TypeKind::AnyFun));
        }
        let fun = Box::new(self.fun_type(false)?);
        self.close(Sym::Close)?;
        Ok(self.type_from(start, TypeKind::Fun(fun)))
    }

    /// `(A, B) -> T`, with `when` constraints in specs.
    pub(super) fn fun_type(&mut self, constrained: bool) -> Parsed<FunType> {
        let start = self.span();
        if !self.is(Sym::Open) {
            return self.unexpected("`(` and the types of the arguments");
        }
        self.open_sym(Sym::Open, Sym::Close);
        let params = match self.eat(Sym::Ellipsis) {
            true => None,
            false => Some(self.type_list(Sym::Close)?),
        };
        self.close(Sym::Close)?;
        self.arrow()?;
        let result = self.ty()?;
        let mut constraints = Vec::new();
        if constrained && self.eat_keyword(Keyword::When) {
            loop {
                constraints.push(self.constraint()?);
                if !self.eat(Sym::Comma) {
                    break;
                }
            }
        }
        Ok(FunType { params, result, constraints, span: start.to(self.previous_span()) })
    }

    /// `Var :: Type`, or `is_subtype(Var, Type)` of old.
    fn constraint(&mut self) -> Parsed<(Ident, Type)> {
        let old = self.tok().atom().is_some_and(|name| name == "is_subtype");
        if old {
            self.bump();
            self.expect(Sym::Open, "after `is_subtype`")?;
        }
        let Tok::Var(name) = self.tok() else { return self.unexpected("a type variable") };
        let name = Ident { name: name.clone(), span: self.bump().span };
        self.expect(if old { Sym::Comma } else { Sym::Colons }, "after a type variable")?;
        let ty = self.ty()?;
        if old {
            self.expect(Sym::Close, "after `is_subtype`")?;
        }
        Ok((name, ty))
    }

    fn type_from(&self, start: crate::source::Span, kind: TypeKind) -> Type {
        Type { kind, span: start.to(self.previous_span()) }
    }
}
