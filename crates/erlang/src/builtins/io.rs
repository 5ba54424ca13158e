//! Module `io`. Output is an event with its text, and races with nothing: what a process writes is its own, as if each
//! wrote to a file of its own.

use super::{Builtin, Outcome, arg, ok, truth, visible};
use crate::events::footprint::nothing;
use crate::format::{characters, format};
use crate::machine::Raise;
use crate::term::{Term, print};
use crate::world::step::{Event, Step};

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
];

/// The text of a format and its arguments.
fn formatted(template: &Term, arguments: &Term) -> Result<String, Raise> {
    arg(format(&arg(template_text(template))?, &arg(arguments.to_vec())?))
}

/// The characters of a format: an atom's, a binary's bytes, or a list.
pub(super) fn template_text(template: &Term) -> Option<String> {
    match template {
        Term::Atom(atom) => Some(atom.text().to_owned()),
        Term::Bits(_) => characters(template, false),
        _ => template.to_text(),
    }
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
