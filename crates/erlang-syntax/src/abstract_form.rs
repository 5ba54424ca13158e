//! Forms as Erlang's own parser writes them (its "abstract format"), one line of text each.
//! Why: it is the strongest oracle we have. On a machine with Erlang the same text comes out of `epp:parse_file`, and
//! the two are compared byte for byte, lines included; expectations for small files are stored with the tests.
//! Where our tree keeps less (the spelling of `behavior`, `bytes` for `binary`), and for lines inside types, both
//! sides are normalised.

mod exprs;
mod forms;
mod types;

use crate::parse::Parse;
use crate::source::{Sources, Span};
use crate::tree::Form;

/// The forms of a module, without `-file` attributes.
pub fn abstract_forms(parse: &Parse) -> Vec<String> {
    parse.module.forms.iter().filter_map(|form| abstract_form(parse, form)).collect()
}

/// One of them; `None` if it has no abstract form.
fn abstract_form(parse: &Parse, form: &Form) -> Option<String> {
    let mut writer = Writer { out: String::new(), sources: &parse.sources };
    writer.form(form).then_some(writer.out)
}

/// The forms of a module with `-file` attributes where the text of another file begins, as a parse transform is given them: the
/// lines of what a header defines are the header's.
pub fn abstract_forms_in_files(parse: &Parse) -> Vec<String> {
    let mut all = Vec::new();
    let mut current = parse.sources.files().first().map(|file| &*file.path);
    all.extend(current.map(|path| format!("{{attribute,1,file,{{{path:?},1}}}}")));
    for form in &parse.module.forms {
        let Some(text) = abstract_form(parse, form) else { continue };
        let path = &*parse.sources.file(form.span.file).path;
        if current != Some(path) {
            let is_own = parse.sources.files().first().is_some_and(|own| *own.path == *path);
            let line = if is_own { parse.sources.line(form.span) } else { 1 };
            all.push(format!("{{attribute,{line},file,{{{path:?},{line}}}}}"));
            current = Some(path);
        }
        all.push(text);
    }
    all
}

struct Writer<'a> {
    out: String,
    sources: &'a Sources,
}

impl Writer<'_> {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn atom(&mut self, name: &str) {
        // Erlang writes these two without quotes while their feature is off.
        let bare = matches!(name, "maybe" | "else");
        self.text(&if bare { name.to_string() } else { crate::print::atom(name) });
    }

    /// `{tag,Line,`
    fn open(&mut self, tag: &str, line: u32) {
        self.text(&format!("{{{tag},{line},"));
    }

    fn line(&self, span: Span) -> u32 {
        self.sources.line(span)
    }

    /// The line of a token right behind an expression. A name out of a macro has the span of the whole use, but
    /// stands on its first line.
    fn line_behind(&self, expr: &crate::tree::Expr) -> u32 {
        let name = expr.as_atom().or(expr.as_var());
        if name.is_some() { self.line(expr.span) } else { self.last_line(expr.span) }
    }

    /// The line of the last byte.
    fn last_line(&self, span: Span) -> u32 {
        self.sources.file(span.file).line(span.end.saturating_sub(1).max(span.start))
    }

    fn list<T>(&mut self, all: &[T], write: impl Fn(&mut Self, &T)) {
        self.text("[");
        for (at, one) in all.iter().enumerate() {
            if at > 0 {
                self.text(",");
            }
            write(self, one);
        }
        self.text("]");
    }

    /// `{atom,Line,name}`
    fn atom_node(&mut self, name: &str, line: u32) {
        self.open("atom", line);
        self.atom(name);
        self.text("}");
    }

    /// `{var,Line,'Name'}`
    fn var_node(&mut self, name: &str, line: u32) {
        self.open("var", line);
        self.text(&crate::print::atom(name));
        self.text("}");
    }

    fn code_points(&mut self, text: &str) {
        let codes: Vec<String> = text.chars().map(|c| (c as u32).to_string()).collect();
        self.text(&format!("[{}]", codes.join(",")));
    }
}
