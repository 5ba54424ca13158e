//! What an event came to, in words: the value an operation gave back, the exception it raised and who caught it, the calls
//! that led to a place. The data are `foresee_lts::Account`; whoever prints a run says how long a value may be.

use crate::StoryStep;
use crate::diff::shorten;
use foresee_lts::{Call, Label, Raised, Told};

/// `= [{x,0}]`, or `raised badarg: the table t does not exist; nobody caught it`: what the operation came to that the label
/// names, if that says something.
///
/// ```
/// use foresee_lts::{Answer, Told};
/// use foresee_trace::outcome_words;
/// let answer = Answer { call: "whereis(a)".into(), is_named: true, value: "undefined".into() };
/// let told = Told { answers: vec![answer], ..Told::default() };
/// assert_eq!(outcome_words(&told, 60), Some("= undefined".to_owned()));
/// ```
pub fn outcome_words(told: &Told, chars_max: usize) -> Option<String> {
    if let Some(raised) = told.raised.iter().find(|raised| raised.is_named) {
        return Some(raised_words(raised, chars_max));
    }
    let answer = told.answers.iter().find(|answer| answer.is_named)?;
    Some(format!("= {}", shorten(&answer.value, chars_max)))
}

/// What came of an event besides: the answers of operations that happened together with it, exceptions that the program's own
/// text raised, but for one that is `known`. Where `is_whole`, also what was thrown and caught again, and what happened inside
/// libraries.
pub fn more_words(
    told: &Told,
    chars_max: usize,
    is_whole: bool,
    known: Option<&Raised>,
) -> Vec<String> {
    let answers = told.answers.iter().filter(|answer| !answer.is_named).map(|answer| {
        format!("{} = {}", shorten(&answer.call, chars_max), shorten(&answer.value, chars_max))
    });
    let is_worth_it = |raised: &&Raised| {
        let is_jump = raised.class == "throw" && raised.caught.is_some();
        !raised.is_named && Some(*raised) != known && (is_whole || !(raised.is_internal || is_jump))
    };
    let raised = told.raised.iter().filter(is_worth_it).map(|raised| {
        let place = raised_at(raised).map_or(String::new(), |place| format!("{place} "));
        format!("{place}{}", raised_words(raised, chars_max))
    });
    answers.chain(raised).collect()
}

/// `raised badarg: the table t does not exist; caught by the try at bank.erl:12`
fn raised_words(raised: &Raised, chars_max: usize) -> String {
    let class = if raised.class == "error" { "" } else { raised.class.as_str() };
    let mut text = format!("raised {class} ").trim_end().to_owned();
    text.push_str(&format!(" {}", shorten(&raised.reason, chars_max)));
    if let Some(cause) = &raised.cause {
        text.push_str(&format!(": {}", shorten(cause, chars_max)));
    }
    match &raised.caught {
        None => text.push_str("; nobody caught it"),
        Some(caught) => match &caught.by.place {
            Some((file, line)) => {
                text.push_str(&format!("; caught by the {} at {file}:{line}", caught.how));
            }
            None => text.push_str(&format!("; caught by {}", caught.by.module)),
        },
    }
    text
}

/// `ets:lookup(t,x) in bank:total/1 at bank.erl:7`: the call that failed, and where it stands.
pub fn raised_at(raised: &Raised) -> Option<String> {
    let innermost = raised.calls.first().map(call_words);
    match (&raised.by, raised.calls.first()) {
        // It is the innermost call itself, with its arguments.
        (Some(by), Some(call)) if raised.is_innermost => match &call.place {
            Some((file, line)) => Some(format!("{by} at {file}:{line}")),
            None => Some(by.clone()),
        },
        (Some(by), _) => Some(match innermost {
            Some(place) => format!("{by} in {place}"),
            None => by.clone(),
        }),
        (None, _) => innermost,
    }
}

/// `bank:total/1 at bank.erl:7`, with what a stack trace would not show.
pub fn call_words(call: &Call) -> String {
    let Call { module, function, arity, .. } = call;
    let mut text = format!("{module}:{function}/{arity}");
    if let Some((file, line)) = &call.place {
        text.push_str(&format!(" at {file}:{line}"));
    }
    match (call.is_tail, call.rounds) {
        (false, _) => {}
        (true, 1) => text.push_str(" (tail call)"),
        (true, rounds) => text.push_str(&format!(" (tail call, {rounds} times)")),
    }
    text
}

impl StoryStep {
    /// The line of the user's text in which it happens: the file's name and the line.
    pub fn place(&self) -> Option<(&str, u32)> {
        let place = self.told.place.as_ref().map(|(file, line)| (file.as_str(), *line));
        place.or_else(|| outer_place(&self.label))
    }

    /// `bank.erl:62`, or `bank.erl:17 from 62` where the innermost call is one in tail position, and the function that is still
    /// on the stack stands elsewhere.
    pub fn place_words(&self) -> Option<String> {
        let (file, line) = self.place()?;
        let outer = outer_place(&self.label).filter(|outer| *outer != (file, line));
        Some(match outer {
            Some((other, outer)) if other == file => format!("{file}:{line} from {outer}"),
            Some((other, outer)) => format!("{file}:{line} from {other}:{outer}"),
            None => format!("{file}:{line}"),
        })
    }
}

fn outer_place(label: &Label) -> Option<(&str, u32)> {
    label.place.as_ref().map(|place| (place.file.as_str(), place.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_lts::Caught;

    fn call(module: &str, line: u32) -> Call {
        let place = (line > 0).then(|| ("m.erl".to_owned(), line));
        let (module, function) = (module.to_owned(), "f".to_owned());
        Call { module, function, arity: 1, place, is_tail: false, rounds: 1 }
    }

    fn raised(by: Option<&str>) -> Raised {
        Raised {
            member: "<P>".into(),
            class: "error".into(),
            reason: "badarg".into(),
            by: by.map(str::to_owned),
            is_innermost: false,
            is_named: true,
            cause: Some("the table t does not exist".into()),
            calls: vec![call("m", 3)],
            caught: None,
            is_internal: false,
        }
    }

    #[test]
    fn an_exception_says_why_and_who_caught_it() {
        let mut it = raised(Some("ets:lookup(t,x)"));
        let told = |it: &Raised| Told { raised: vec![it.clone()], ..Told::default() };
        assert_eq!(
            outcome_words(&told(&it), 60).unwrap(),
            "raised badarg: the table t does not exist; nobody caught it"
        );
        it.caught = Some(Caught { how: "try".into(), by: call("m", 2) });
        (it.class, it.cause) = ("exit".into(), None);
        assert_eq!(
            outcome_words(&told(&it), 60).unwrap(),
            "raised exit badarg; caught by the try at m.erl:2"
        );
        it.caught = Some(Caught { how: "try".into(), by: call("gen_server", 0) });
        assert!(outcome_words(&told(&it), 60).unwrap().ends_with("; caught by gen_server"));
        assert!(more_words(&told(&it), 60, true, None).is_empty(), "told already");
    }

    #[test]
    fn a_function_with_its_arguments_is_its_own_place() {
        let own = Raised { is_innermost: true, ..raised(Some("m:f({x,1})")) };
        assert_eq!(raised_at(&own).unwrap(), "m:f({x,1}) at m.erl:3");
        assert_eq!(raised_at(&raised(Some("hd([])"))).unwrap(), "hd([]) in m:f/1 at m.erl:3");
        assert_eq!(raised_at(&raised(None)).unwrap(), "m:f/1 at m.erl:3");
    }

    #[test]
    fn jumps_and_inner_matters_are_only_told_in_full() {
        let mut it = Raised { is_named: false, is_internal: true, ..raised(None) };
        it.caught = Some(Caught { how: "catch".into(), by: call("lists", 0) });
        let told = Told { raised: vec![it], ..Told::default() };
        assert!(more_words(&told, 60, false, None).is_empty());
        assert_eq!(more_words(&told, 60, true, None).len(), 1);
        assert!(more_words(&told, 60, true, told.raised.first()).is_empty(), "known");
    }
}
