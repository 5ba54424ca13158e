//! Records and their fields must exist.

use super::Checker;
use crate::codes;
use crate::diagnostic::nearest;
use crate::tree::{Ident, RecordDef};
use foresee_text::Diagnostic;

impl<'a> Checker<'a> {
    pub(super) fn record(&mut self, name: &Ident) -> Option<&'a RecordDef> {
        let found = self.facts.records.get(name.name.as_str()).copied();
        let news = found.is_none() && !self.facts.records_open;
        if news && self.undefined_records.insert(name.name.clone()) {
            let near = nearest(&name.name, self.facts.records.keys().copied());
            let help = match near {
                Some(near) => format!("there is a record `{near}`"),
                None => format!("define it with `-record({}, {{…}}).`", name.name),
            };
            let problem = format!("record `{}` is not defined", name.name);
            let diagnostic = Diagnostic::error(codes::UNDEFINED_RECORD, name.span, problem);
            self.report(diagnostic.help(help));
        }
        found
    }

    pub(super) fn field(&mut self, record: Option<&RecordDef>, field: &Ident) {
        let Some(record) = record else { return };
        if field.name == "_" || record.fields.iter().any(|known| known.name.name == field.name) {
            return;
        }
        let names = || record.fields.iter().map(|known| known.name.name.as_str());
        let help = match nearest(&field.name, names()) {
            Some(near) => format!("there is a field `{near}`"),
            None => format!("its fields are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let problem = format!("record `{}` has no field `{}`", record.name.name, field.name);
        self.report(
            Diagnostic::error(codes::UNDEFINED_FIELD, field.span, problem)
                .also(record.name.span, "the record is defined here")
                .help(help),
        );
    }
}
