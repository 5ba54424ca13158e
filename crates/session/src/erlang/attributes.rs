//! Options that a module carries itself: `-foresee_options([…])`, and those written for Concuerror, so that such a module works
//! unchanged. Plain ones yield to the command line; those of `-concuerror_options_forced` do not.
//! Every option is honoured or answered with a note that says why it has no meaning here; none is an error, because a module
//! must not become uncheckable by what it says to another tool.
//! Not here: what the engine makes of its options (`crate::interleave`).

use super::{ErlangOptions, Ignored};
use crate::{BoundKind, Dpor, InterleavingOptions, Scheduling};
use foresee_erlang::ClockMode;
use foresee_erlang_syntax::tree::{Expr, ExprKind};
use foresee_erlang_syntax::{Parse, print_expr};

const SHOWN: &str = "how runs are shown is chosen on the command line";
const GIVEN: &str = "what is checked is chosen on the command line";

/// Options that are understood and have no meaning here, and why.
const NO_MEANING: &[(&str, &str)] = &[
    ("assume_racing", "what races is known of every built-in function"),
    ("exclude_module", GIVEN),
    ("file", GIVEN),
    ("graph", SHOWN),
    ("log_all", SHOWN),
    ("module", GIVEN),
    ("output", SHOWN),
    ("pa", GIVEN),
    ("print_depth", SHOWN),
    ("pz", GIVEN),
    ("quiet", SHOWN),
    ("show_races", SHOWN),
    ("symbolic_names", SHOWN),
    ("test", GIVEN),
    (
        "timeout",
        "a process that runs without end is found by counting its calls, whatever the clock says",
    ),
    ("verbosity", SHOWN),
];

/// What a module says about the exploration of interleavings: what it insists on, and what it wishes.
type Said = (InterleavingOptions, InterleavingOptions);

/// Adds what the module asks for to what was asked; answers notes about what has no meaning here, and what is asked of the
/// engine.
pub(super) fn apply(parse: &Parse, options: &mut ErlangOptions) -> (Vec<String>, Said) {
    let mut notes = Vec::new();
    let mut said = Said::default();
    for (attribute, is_forced) in [
        ("foresee_options", false),
        ("concuerror_options", false),
        ("concuerror_options_forced", true),
    ] {
        let interleavings = if is_forced { &mut said.0 } else { &mut said.1 };
        for option in parse.module.attributes(attribute).flat_map(elements) {
            if let Err(why) = apply_one(option, is_forced, options, interleavings) {
                let (place, text) = (parse.sources.place(option.span), print_expr(option));
                notes.push(format!("{place}: `{text}` of -{attribute} has no meaning here: {why}"));
            }
        }
        complete(interleavings);
    }
    (notes, said)
}

/// Applies one option; an error says why it has no meaning.
fn apply_one(
    option: &Expr,
    is_forced: bool,
    options: &mut ErlangOptions,
    interleavings: &mut InterleavingOptions,
) -> Result<(), String> {
    let (key, value) = match &option.kind {
        ExprKind::Atom(key) => (Some(key), None),
        ExprKind::Tuple(pair) => match pair.as_slice() {
            [key, value] => (key.as_atom(), Some(value)),
            _ => (None, None),
        },
        _ => (None, None),
    };
    let Some(key) = key else { return Err("an option is a key, or a key and a value".to_owned()) };
    if let Some((_, why)) = NO_MEANING.iter().find(|(known, _)| *known == key.as_str()) {
        return Err((*why).to_owned());
    }
    let is_free = |is_unsaid: bool| is_forced || is_unsaid;
    match key.as_str() {
        "treat_as_normal" => {
            options.normal_reasons.extend(value.into_iter().flat_map(elements).map(print_expr));
        }
        "ignore_error" => options.ignored.extend(ignored(value)?),
        "after_timeout" => {
            let limit = number_or_infinity(value)?;
            if is_free(options.after_timeout.is_none()) {
                options.after_timeout = limit;
            }
        }
        "send_after_timeout" => {
            let limit = number_or_infinity(value)?;
            if is_free(options.send_after_timeout.is_none()) {
                options.send_after_timeout = limit;
            }
        }
        "timer_firings_max" => {
            let max = number_or_infinity(value)?;
            if is_free(options.timer_firings_max.is_none()) {
                options.timer_firings_max = max.and_then(|max| u32::try_from(max).ok());
            }
        }
        "clock" => {
            let mode = one_of(value, &ClockMode::ALL)?;
            if is_free(options.clock.is_none()) {
                options.clock = Some(mode);
            }
        }
        "instant_delivery" => {
            let is_on = boolean(value)?;
            if is_free(options.instant_delivery.is_none()) {
                options.instant_delivery = Some(is_on);
            }
        }
        "assertions_only" => {
            options.assertions_only = boolean(value)? || (!is_forced && options.assertions_only);
        }
        "first_process_errors_only" => {
            options.first_process_errors_only =
                boolean(value)? || (!is_forced && options.first_process_errors_only);
        }
        other => ask_engine(other, value, interleavings)?,
    }
    Ok(())
}

/// One option for the engine of interleavings.
fn ask_engine(
    key: &str,
    value: Option<&Expr>,
    asked: &mut InterleavingOptions,
) -> Result<(), String> {
    match key {
        "dpor" => asked.dpor = Some(one_of(value, &DPOR)?),
        "scheduling" => asked.scheduling = Some(one_of(value, &SCHEDULING)?),
        "scheduling_bound" => asked.bound = small_number(value)?,
        "scheduling_bound_type" => {
            asked.bound_kind = one_of(value, &bound_kinds())?;
            asked.is_unbounded = asked.bound_kind.is_none();
        }
        "depth_bound" => asked.depth_max = small_number(value)?,
        "interleaving_bound" => asked.interleavings_max = number_or_infinity(value)?,
        "use_receive_patterns" => asked.observers = Some(boolean(value)?),
        "keep_going" => asked.keep_going = Some(boolean(value)?),
        "strict_scheduling" => asked.strict_scheduling = Some(boolean(value)?),
        "disable_sleep_sets" => asked.sleep_sets = Some(!boolean(value)?),
        "non_racing_system" => {
            let names = value.into_iter().flat_map(elements).filter_map(Expr::as_atom);
            asked.non_racing.extend(names.map(|name| name.as_str().to_owned()));
        }
        _ => return Err("no such option is known".to_owned()),
    }
    Ok(())
}

/// What follows from an option where nothing else is said: a kind of bound is a bound of one, and no sleep sets is no
/// reduction at all.
fn complete(asked: &mut InterleavingOptions) {
    if asked.is_unbounded {
        asked.bound = None;
    } else if asked.bound_kind.is_some() {
        asked.bound.get_or_insert(1);
    }
    if asked.sleep_sets == Some(false) {
        asked.dpor.get_or_insert(Dpor::None);
    }
}

const DPOR: [(&str, Dpor); 4] = [
    ("optimal", Dpor::Optimal),
    ("source", Dpor::Source),
    ("persistent", Dpor::Persistent),
    ("none", Dpor::None),
];

const SCHEDULING: [(&str, Scheduling); 3] = [
    ("oldest", Scheduling::Oldest),
    ("newest", Scheduling::Newest),
    ("round_robin", Scheduling::RoundRobin),
];

/// The words for bounds, each kind with its own; `none` is no bound.
fn bound_kinds() -> Vec<(&'static str, Option<BoundKind>)> {
    let words = BoundKind::ALL
        .iter()
        .flat_map(|kind| kind.policy().attributes().iter().map(|word| (*word, Some(*kind))));
    words.chain([("none", None)]).collect()
}

fn one_of<T: Copy>(value: Option<&Expr>, words: &[(&str, T)]) -> Result<T, String> {
    let word = value.and_then(Expr::as_atom).map(|word| word.as_str());
    match words.iter().find(|(known, _)| Some(*known) == word) {
        Some((_, meaning)) => Ok(*meaning),
        None => {
            let known: Vec<&str> = words.iter().map(|(known, _)| *known).collect();
            Err(format!("it can be {}", known.join(", ")))
        }
    }
}

/// Kinds of errors; `crash` is the older word for an abnormal exit.
fn ignored(value: Option<&Expr>) -> Result<Vec<Ignored>, String> {
    let words = value.into_iter().flat_map(elements).map(|word| match word.as_atom() {
        Some(word) if word.as_str() == "crash" => Some(Ignored::AbnormalExit),
        Some(word) => Ignored::parse(word.as_str()),
        None => None,
    });
    words.collect::<Option<Vec<_>>>().ok_or_else(|| {
        let known: Vec<&str> = Ignored::ALL.iter().map(|(_, word)| *word).collect();
        format!("it can be {}", known.join(", "))
    })
}

/// An option alone is one that is switched on.
fn boolean(value: Option<&Expr>) -> Result<bool, String> {
    match value.map(|value| value.as_atom().map(|word| word.as_str())) {
        None | Some(Some("true")) => Ok(true),
        Some(Some("false")) => Ok(false),
        Some(_) => Err("it can be true, false".to_owned()),
    }
}

/// A number; `infinity` is no limit.
fn number_or_infinity(value: Option<&Expr>) -> Result<Option<u64>, String> {
    let number = match value.map(|value| &value.kind) {
        Some(ExprKind::Integer(number)) => number.to_i64().and_then(|it| it.try_into().ok()),
        Some(ExprKind::Atom(word)) if word.as_str() == "infinity" => return Ok(None),
        _ => None,
    };
    number.map(Some).ok_or_else(|| "it can be a number, infinity".to_owned())
}

fn small_number(value: Option<&Expr>) -> Result<Option<u32>, String> {
    Ok(number_or_infinity(value)?.map(|number| number.try_into().unwrap_or(u32::MAX)))
}

/// The elements of a list, or the one thing that is no list.
fn elements(value: &Expr) -> impl Iterator<Item = &Expr> {
    match &value.kind {
        ExprKind::List { elements, .. } => elements.iter(),
        _ => std::slice::from_ref(value).iter(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foresee_erlang_syntax::{Options, no_includes, parse_file};

    fn applied(text: &str, mut options: ErlangOptions) -> (ErlangOptions, Vec<String>) {
        let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
        let (notes, _) = apply(&parse, &mut options);
        (options, notes)
    }

    #[test]
    fn how_interleavings_are_explored_is_for_the_engine() {
        let text = "-module(m).\n-concuerror_options([{dpor, source}, {scheduling_bound, 2}, keep_going]).\n\
                    -concuerror_options_forced([{depth_bound, 40}, {use_receive_patterns, false}]).\n";
        let parse = parse_file("m.erl", text, &Options::default(), &mut no_includes);
        let (notes, (insisted, wished)) = apply(&parse, &mut ErlangOptions::default());
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!((insisted.depth_max, insisted.observers), (Some(40), Some(false)));
        assert_eq!((wished.dpor, wished.bound), (Some(Dpor::Source), Some(2)));
        assert_eq!((wished.keep_going, wished.depth_max), (Some(true), None));
    }

    #[test]
    fn options_of_a_module_are_added_to_those_given() {
        let text = "-module(m).\n-concuerror_options([{treat_as_normal, [shutdown, {a, 1}]}, {after_timeout, 500},\n\
                    {ignore_error, deadlock}, assertions_only, {dpor, source}, {depth_bound, 10}]).\n";
        let (options, notes) = applied(text, ErlangOptions::default());
        assert_eq!(options.normal_reasons, ["shutdown", "{a, 1}"]);
        assert_eq!((options.after_timeout, options.assertions_only), (Some(500), true));
        assert_eq!((options.ignored, notes), (vec![Ignored::Deadlock], Vec::new()));
    }

    #[test]
    fn plain_ones_yield_and_forced_ones_do_not() {
        let given = ErlangOptions { after_timeout: Some(9), ..ErlangOptions::default() };
        let plain = "-module(m).\n-foresee_options({after_timeout, 500}).\n";
        assert_eq!(applied(plain, given.clone()).0.after_timeout, Some(9));
        let forced = "-module(m).\n-concuerror_options_forced([{after_timeout, 500}]).\n";
        assert_eq!(applied(forced, given).0.after_timeout, Some(500));
    }

    #[test]
    fn what_nobody_knows_is_noted() {
        let text = "-module(m).\n-foresee_options([{colour, red}]).\n";
        let (_, notes) = applied(text, ErlangOptions::default());
        let note = "m.erl:2:19: `{colour, red}` of -foresee_options has no meaning here: no such option is known";
        assert_eq!(notes, [note]);
    }
}
