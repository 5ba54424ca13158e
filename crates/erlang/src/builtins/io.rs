//! Modules `io` and `io_lib`. Output is an event with its text, and races with nothing: what a process writes is its own,
//! as if each wrote to a file of its own.

use super::{Builtin, Outcome, arg, ok, pure, truth, visible};
use crate::footprint::nothing;
use crate::format::{characters, format};
use crate::machine::{Local, Raise};
use crate::step::{Event, Step};
use crate::term::{Term, print};

pub(super) const TABLE: &[Builtin] = &[
    visible("io", "format", 1, io_format, nothing),
    visible("io", "format", 2, io_format, nothing),
    visible("io", "format", 3, io_format_to, nothing),
    visible("io", "fwrite", 1, io_format, nothing),
    visible("io", "fwrite", 2, io_format, nothing),
    visible("io", "fwrite", 3, io_format_to, nothing),
    visible("io", "put_chars", 1, put_chars, nothing),
    visible("io", "put_chars", 2, put_chars_to, nothing),
    visible("io", "write", 1, write, nothing),
    visible("io", "write", 2, write_to, nothing),
    visible("io", "nl", 0, nl, nothing),
    visible("io", "nl", 1, nl, nothing),
    visible("erlang", "display", 1, display, nothing),
    pure("io_lib", "format", 2, lib_format),
    pure("io_lib", "fwrite", 2, lib_format),
    pure("io_lib", "write", 1, lib_write),
    pure("io_lib", "print", 1, lib_print),
    pure("io_lib", "nl", 0, lib_nl),
    pure("io_lib", "write_atom", 1, lib_write),
    pure("io_lib", "write_string", 1, lib_write_string),
    pure("io_lib", "printable_list", 1, printable_list),
    pure("io_lib", "printable_unicode_list", 1, printable_list),
    pure("io_lib", "char_list", 1, char_list),
    pure("io_lib", "latin1_char_list", 1, char_list),
];

/// The text of a format and its arguments, as the `io` functions take them.
fn formatted(template: &Term, arguments: &Term) -> Result<String, Raise> {
    let template = match template {
        Term::Atom(atom) => atom.text().to_owned(),
        other => arg(characters(other, true))?,
    };
    let arguments = match arguments.to_vec() {
        Some(arguments) => arguments,
        // A single argument that is no list is taken as the only one.
        None => vec![arguments.clone()],
    };
    arg(format(&template, &arguments))
}

fn emit(step: &mut Step<'_>, text: String) -> Outcome {
    let pid = step.caller;
    step.events.push(Event::Output { pid, text });
    ok()
}

fn io_format(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let text = formatted(&args[0], args.get(1).unwrap_or(&Term::Nil))?;
    emit(step, text)
}

fn io_format_to(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let text = formatted(&args[1], &args[2])?;
    emit(step, text)
}

fn put_chars(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    let text = arg(characters(&args[0], true))?;
    emit(step, text)
}

fn put_chars_to(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    put_chars(step, &args[1..])
}

fn write(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    emit(step, print::quoted(&args[0]))
}

fn write_to(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    emit(step, print::quoted(&args[1]))
}

fn nl(step: &mut Step<'_>, _: &[Term]) -> Outcome {
    emit(step, "\n".to_owned())
}

fn display(step: &mut Step<'_>, args: &[Term]) -> Outcome {
    emit(
        step,
        format!(
            "{}\n",
            print::text(&args[0], print::Style { strings: true, unicode: true, wide: false })
        ),
    )?;
    truth(true)
}

fn lib_format(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::string(&formatted(&args[0], &args[1])?))
}

fn lib_write(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    Ok(Term::string(&print::quoted(&args[0])))
}

fn lib_print(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let style = print::Style { strings: true, ..print::Style::default() };
    Ok(Term::string(&crate::term::pretty::pretty(&args[0], 0, 80, style)))
}

fn lib_nl(_: &mut Local<'_>, _: &[Term]) -> Outcome {
    Ok(Term::string("\n"))
}

fn lib_write_string(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let mut out = String::new();
    print::write_string(&mut out, &arg(args[0].to_text())?, '"', true);
    Ok(Term::string(&out))
}

fn printable_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(matches!(args[0], Term::Nil) || print::printable_string(&args[0], true).is_some())
}

fn char_list(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    truth(args[0].to_text().is_some())
}
