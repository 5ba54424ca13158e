//! Records: tuples with a tag and named places.

use super::body::Body;
use crate::program::code::{Failure, Instruction, Label, RAISE, Reg};
use crate::term::Term;
use foresee_erlang_syntax::Name;
use foresee_erlang_syntax::tree::{Expr, Ident, RecordDef, RecordField};

impl<'a> Body<'_, 'a> {
    fn definition(&self, name: &Name) -> Option<&'a RecordDef> {
        self.unit.records.get(name).copied()
    }

    /// The place of a field among the fields, from 0.
    pub(super) fn field_index(&self, record: &Ident, field: &Ident) -> Option<usize> {
        let fields = &self.definition(&record.name)?.fields;
        fields.iter().position(|own| own.name.name == field.name)
    }

    /// `#r{…}`, or `Base#r{…}`.
    pub(super) fn record(
        &mut self,
        base: Option<&Expr>,
        name: &Ident,
        fields: &[RecordField],
        dst: Reg,
    ) {
        // An undefined record was reported by the syntax crate.
        let Some(definition) = self.definition(&name.name) else { return };
        let n = definition.fields.len();
        if self.is_too_large(n) {
            return;
        }
        let base = base.map(|base| self.operand(base));
        let start = self.fresh_block(n + 1);
        let given = |field: &Name| fields.iter().find(|own| own.name.name == *field);
        let others = fields.iter().find(|own| own.name.name == "_");
        self.constant(start, Term::atom(&name.name));
        for (i, field) in definition.fields.iter().enumerate() {
            let at = start + 1 + i as Reg;
            match (given(&field.name.name), base, others, &field.default) {
                (Some(own), ..) => self.value_apart(&own.value, at),
                (None, Some(_), ..) => {}
                (None, None, Some(others), _) => self.value_apart(&others.value, at),
                (None, None, None, Some(default)) => self.default_value(default, at),
                (None, None, None, None) => self.constant(at, a!("undefined")),
            }
        }
        if let Some(base) = base {
            self.expect_record(base, &name.name, n);
            for (i, field) in definition.fields.iter().enumerate() {
                if given(&field.name.name).is_none() {
                    let at = start + 1 + i as Reg;
                    self.emit(Instruction::Element { dst: at, src: base, index: i as u16 + 1 });
                }
            }
        }
        self.emit(Instruction::Tuple { dst, start, n: n as u16 + 1 });
    }

    /// A default is evaluated where the record is built, but sees none of the variables there.
    fn default_value(&mut self, default: &Expr, dst: Reg) {
        let saved = std::mem::take(&mut self.scope);
        self.value_apart(default, dst);
        self.scope = saved;
    }

    /// Continues if `src` is such a record; `badrecord` (or the guard's failure) otherwise.
    fn expect_record(&mut self, src: Reg, name: &Name, n_fields: usize) {
        if self.fail != RAISE {
            return self.test_record(src, name, n_fields, self.fail);
        }
        let (fail, done) = (self.label(), self.label());
        self.test_record(src, name, n_fields, fail);
        self.emit(Instruction::Jump { to: done });
        self.place(fail);
        self.emit(Instruction::Fail { kind: Failure::BadRecord, src });
        self.place(done);
    }

    fn test_record(&mut self, src: Reg, name: &Name, n_fields: usize, fail: Label) {
        self.emit(Instruction::IsTuple { src, n: n_fields as u16 + 1, fail });
        let tag = self.fresh();
        self.emit(Instruction::Element { dst: tag, src, index: 0 });
        self.equal_to_constant(tag, Term::atom(name), fail);
    }

    pub(super) fn record_access(&mut self, base: &Expr, name: &Ident, field: &Ident, dst: Reg) {
        let Some(definition) = self.definition(&name.name) else { return };
        let src = self.operand(base);
        self.expect_record(src, &name.name, definition.fields.len());
        let index = self.field_index(name, field).unwrap_or(0) as u16 + 1;
        self.emit(Instruction::Element { dst, src, index });
    }

    pub(super) fn record_pattern(
        &mut self,
        name: &Ident,
        fields: &[RecordField],
        src: Reg,
        fail: Label,
    ) {
        let Some(definition) = self.definition(&name.name) else { return };
        self.test_record(src, &name.name, definition.fields.len(), fail);
        for (i, field) in definition.fields.iter().enumerate() {
            let pattern = fields
                .iter()
                .find(|own| own.name.name == field.name.name)
                .or_else(|| fields.iter().find(|own| own.name.name == "_"));
            if let Some(own) = pattern {
                self.element_pattern(&own.value, src, i as u16 + 1, fail);
            }
        }
    }

    /// `record_info(fields, r)` and `record_info(size, r)`.
    pub(super) fn record_info(&self, kind: &Name, record: &Name) -> Term {
        let fields = self.definition(record).map_or(&[][..], |record| &record.fields);
        if *kind == "size" {
            return Term::Int(fields.len() as i64 + 1);
        }
        Term::list(fields.iter().map(|f| Term::atom(&f.name.name)).collect::<Vec<_>>())
    }

    /// `is_record(X, r)` with a defined record looks at the size too; whether it was that.
    pub(super) fn is_record(&mut self, args: &[Expr], dst: Reg) -> bool {
        let [subject, name] = args else { return false };
        let Some(name) = name.as_atom() else { return false };
        let Some(definition) = self.definition(name) else { return false };
        let src = self.operand(subject);
        let (fail, done) = (self.label(), self.label());
        self.test_record(src, name, definition.fields.len(), fail);
        self.constant(dst, a!("true"));
        self.emit(Instruction::Jump { to: done });
        self.place(fail);
        self.constant(dst, a!("false"));
        self.place(done);
        true
    }
}
