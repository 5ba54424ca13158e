//! Module `filename`: the shape of paths, as on Unix; nothing here looks at a file system.
//! Names may be text, deep lists with atoms, atoms, or binaries; what comes out is a binary if anything put in was.
//! The current directory is `/`, in every run.

use super::{Builtin, Outcome, pure};
use crate::machine::{Local, Raise};
use crate::term::Term;

pub(super) const TABLE: &[Builtin] = &[
    pure("filename", "join", 1, join_all),
    pure("filename", "join", 2, |_, args| join(args)),
    pure("filename", "append", 2, append),
    pure("filename", "basename", 1, basename),
    pure("filename", "basename", 2, basename_without),
    pure("filename", "dirname", 1, dirname),
    pure("filename", "extension", 1, extension),
    pure("filename", "rootname", 1, rootname),
    pure("filename", "rootname", 2, rootname_without),
    pure("filename", "split", 1, split),
    pure("filename", "pathtype", 1, pathtype),
    pure("filename", "absname", 1, absname),
    pure("filename", "absname", 2, absname),
    pure("filename", "absname_join", 2, |_, args| join(args)),
    pure("filename", "nativename", 1, |_, args| join(args)),
    pure("filename", "flatten", 1, flatten),
    pure("filename", "validate", 1, validate),
];

/// A name and the type it goes back into.
struct Name {
    text: String,
    binary: bool,
}

impl Name {
    fn of(term: &Term) -> Result<Name, Raise> {
        match term {
            Term::Bits(bits) if bits.is_binary() => {
                let text = String::from_utf8(bits.to_bytes());
                let text =
                    text.map_err(|_| Raise::unmodelled("a file name in no UTF-8".to_owned()))?;
                Ok(Name { text, binary: true })
            }
            _ => {
                let mut name = Name { text: String::new(), binary: false };
                name.add(term).ok_or_else(|| Raise::error(a!("function_clause")))?;
                Ok(name)
            }
        }
    }

    fn add(&mut self, term: &Term) -> Option<()> {
        match term {
            Term::Nil => {}
            Term::Atom(atom) => self.text.push_str(atom.text()),
            Term::Bits(bits) if bits.is_binary() => {
                self.text.push_str(std::str::from_utf8(&bits.to_bytes()).ok()?);
                self.binary = true;
            }
            Term::Cons(_) => {
                let mut cells = term.cells();
                for item in cells.by_ref() {
                    match item {
                        Term::Int(code) => {
                            self.text.push(char::from_u32(u32::try_from(*code).ok()?)?);
                        }
                        other => self.add(other)?,
                    }
                }
                matches!(cells.rest(), Term::Nil).then_some(())?;
            }
            _ => return None,
        }
        Some(())
    }

    fn give(&self, text: &str) -> Term {
        if self.binary { Term::binary(text.as_bytes()) } else { Term::string(text) }
    }

    /// The last part and where it starts.
    fn last_part(&self) -> (usize, &str) {
        let start = self.text.rfind('/').map_or(0, |at| at + 1);
        (start, &self.text[start..])
    }
}

/// One slash where there are several, no `.` on the way, no slash at the end.
fn plain(path: &str) -> String {
    let mut text = String::new();
    for c in path.chars() {
        if c == '/' && text.ends_with("/.") {
            text.pop();
        } else if !(c == '/' && text.ends_with('/')) {
            text.push(c);
        }
    }
    if text.len() > 1 && text.ends_with('/') {
        text.pop();
    }
    text
}

fn joined(names: &[Name]) -> String {
    let start = names.iter().rposition(|name| name.text.starts_with('/')).unwrap_or(0);
    if names.iter().all(|name| name.text.is_empty()) {
        return String::new();
    }
    let texts: Vec<&str> = names[start..].iter().map(|name| name.text.as_str()).collect();
    plain(&texts.join("/"))
}

fn join(args: &[Term]) -> Outcome {
    let mut names = args.iter().map(Name::of).collect::<Result<Vec<_>, _>>()?;
    let text = joined(&names);
    let binary = names.iter().any(|name| name.binary);
    names[0].binary = binary;
    Ok(names[0].give(&text))
}

fn join_all(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    match args[0].to_vec() {
        Some(names) if !names.is_empty() => join(&names),
        _ => Err(Raise::error(a!("function_clause"))),
    }
}

fn append(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (mut left, right) = (Name::of(&args[0])?, Name::of(&args[1])?);
    left.binary |= right.binary;
    let text = format!("{}/{}", left.text, right.text);
    Ok(left.give(&text))
}

fn basename(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    let text = name.text.strip_suffix('/').unwrap_or(&name.text);
    Ok(name.give(text.rsplit('/').next().unwrap_or("")))
}

fn basename_without(local: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (mut name, end) = (Name::of(&args[0])?, Name::of(&args[1])?);
    name.binary |= end.binary;
    match name.text.strip_suffix(&*end.text) {
        Some(text) => Ok(name.give(text.rsplit('/').next().unwrap_or(""))),
        None => {
            let text = name.text.clone();
            basename(local, &[name.give(&text)])
        }
    }
}

fn dirname(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    let Some(at) = name.text.rfind('/') else { return Ok(name.give(".")) };
    let text = name.text[..at].trim_end_matches('/');
    Ok(name.give(if text.is_empty() { "/" } else { text }))
}

/// Where the extension starts: at the last dot of the last part that is not its first letter.
fn dot(name: &Name) -> Option<usize> {
    let (start, part) = name.last_part();
    part.rfind('.').filter(|at| *at > 0).map(|at| start + at)
}

fn extension(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    Ok(name.give(dot(&name).map_or("", |at| &name.text[at..])))
}

fn rootname(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    // A name that is all extension is taken away whole, unless it stands in a directory.
    let whole = (name.text.starts_with('.') && !name.text[1..].contains(['.', '/'])).then_some(0);
    Ok(name.give(dot(&name).or(whole).map_or(&name.text, |at| &name.text[..at])))
}

fn rootname_without(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let (mut name, end) = (Name::of(&args[0])?, Name::of(&args[1])?);
    name.binary |= end.binary;
    let text = name.text.strip_suffix(&*end.text).filter(|text| !text.ends_with('/'));
    Ok(name.give(text.unwrap_or(&name.text)))
}

fn split(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    let root = name.text.starts_with('/').then_some("/");
    let parts = root.into_iter().chain(name.text.split('/').filter(|part| !part.is_empty()));
    Ok(Term::list(parts.map(|part| name.give(part)).collect::<Vec<_>>()))
}

fn pathtype(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let absolute = Name::of(&args[0])?.text.starts_with('/');
    Ok(if absolute { a!("absolute") } else { a!("relative") })
}

fn absname(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let directory = args.get(1).cloned().unwrap_or_else(|| Term::string("/"));
    join(&[directory, args[0].clone()])
}

fn flatten(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let name = Name::of(&args[0])?;
    Ok(name.give(&name.text))
}

fn validate(_: &mut Local<'_>, args: &[Term]) -> Outcome {
    let good = Name::of(&args[0]).is_ok_and(|name| !name.text.contains('\0'));
    Ok(Term::bool(good))
}
