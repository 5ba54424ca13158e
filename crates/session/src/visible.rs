//! What can be seen of a system from the outside: the labels of its arrows, less those that the user hides.
//! A label's name is what stands before its first bracket or blank: `call` of `call(locker,request,c1)`, `deliver` of
//! `deliver client1 -> server Ping(1)`. A pattern with `*` may stand for a name or for a whole label.

use crate::Loaded;
use foresee_logic::LabelOf;
use foresee_logic::formula::Vocabulary;
use foresee_lts::Action;
use foresee_stdx::matches_pattern;
use foresee_trace::Trace;

/// Which labels are shown.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct LabelOptions {
    /// Labels that `hide` would hide and that are shown all the same.
    pub show: Vec<String>,
    /// Names, or patterns with `*`.
    pub hide: Vec<String>,
    /// Whole labels that are another spelling of the internal step, in models and in formulas: CADP writes `i`.
    pub internal: Vec<String>,
}

impl LabelOptions {
    /// Whether a label becomes an internal step.
    ///
    /// ```
    /// use foresee_session::LabelOptions;
    /// let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    /// let (show, hide, internal) = (words(&["use(c1)"]), words(&["use", "fr*"]), words(&["i"]));
    /// let options = LabelOptions { show, hide, internal };
    /// let hidden = ["use(c1)", "use(c2)", "free(c1)", "reuse", "i", "i(x)"];
    /// let hidden = hidden.map(|label| options.hides(label));
    /// assert_eq!(hidden, [false, true, true, false, true, false]);
    /// ```
    pub fn hides(&self, label: &str) -> bool {
        let is_named = |patterns: &[String]| {
            let mut texts = [name_of(label), label].into_iter();
            texts.any(|text| patterns.iter().any(|pattern| matches_pattern(pattern, text)))
        };
        let is_internal = self.internal.iter().any(|spelling| spelling == label);
        is_internal || (is_named(&self.hide) && !is_named(&self.show))
    }

    pub fn is_default(&self) -> bool {
        self.show.is_empty() && self.hide.is_empty() && self.internal.is_empty()
    }

    /// The lines of a trace's header that say so.
    pub(crate) fn to_pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        let shown = self.show.iter().map(|name| ("show", name.clone()));
        let hidden = self.hide.iter().map(|name| ("hide", name.clone()));
        shown.chain(hidden).chain(self.internal.iter().map(|label| ("internal", label.clone())))
    }

    pub(crate) fn of_trace(trace: &Trace) -> Self {
        let all = |key: &str| {
            let own = trace.options.iter().filter(|(name, _)| name == key);
            own.map(|(_, value)| value.clone()).collect()
        };
        LabelOptions { show: all("show"), hide: all("hide"), internal: all("internal") }
    }

    /// What the user should know of a system's labels before believing an answer about them.
    pub(crate) fn warnings(&self, loaded: &Loaded) -> Vec<String> {
        let mut warnings = loaded.warnings_about_text();
        let front = loaded.front();
        let has_i = front.as_lts().is_some_and(|lts| lts.labels().find("i").is_some());
        if has_i && !self.internal.iter().any(|label| label == "i") {
            warnings.push(format!(
                "{} has the label `i`, which is a label like any other; if CADP wrote the file, add --internal i",
                front.name()
            ));
        }
        warnings
    }

    /// What formulas about a system may speak of.
    pub(crate) fn vocabulary(&self, loaded: &Loaded) -> Vocabulary {
        Vocabulary { internal: self.internal.clone(), ..loaded.front().vocabulary() }
    }

    /// The labels of a system, as state spaces and formulas see them.
    pub(crate) fn of<'a>(&'a self, loaded: &'a Loaded) -> Box<LabelOf<'a>> {
        let front = loaded.front();
        if self.is_default() {
            return Box::new(move |state: &[u32], action: Action| {
                front.visible_label(state, action)
            });
        }
        Box::new(move |state: &[u32], action: Action| {
            front.visible_label(state, action).filter(|label| !self.hides(label))
        })
    }
}

fn name_of(label: &str) -> &str {
    let end = label.find(|c: char| c == '(' || c.is_whitespace());
    &label[..end.unwrap_or(label.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_before_a_bracket_or_a_blank() {
        assert_eq!(name_of("deliver a -> b Ping(1)"), "deliver");
        assert_eq!(name_of("use(c1)"), "use");
    }
}
