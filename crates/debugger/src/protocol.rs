//! The protocol between the server and the page: every request, every answer, every piece of news. The page knows this file
//! only, by `web/src/protocol.ts` and `protocol.schema.json`, which are made from it; a test fails when they are stale
//! (`FORESEE_UPDATE=1 cargo test -p foresee-debugger protocol` writes them).
//! A request is `{id, do, …}`, its answer `{id, ok}` or `{id, error}`, news is `{news, …}`. Fields are only added: the page and
//! the server agree if the first number of [`PROTOCOL`] is the same; what one of them does not know it ignores.
//! Words: a *place* is a number in the session's tree (0 is the start, none is used twice); a *part* is a value in a state, by
//! its key of 16 hexadecimal digits; a *branch* is a number too, and 0 is the main one.

use foresee_session::Tree;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Major and minor: another major is refused, another minor only adds.
pub const PROTOCOL: [u32; 2] = [1, 0];

/// A request with its number, which its answer carries too.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Frame {
    pub id: u32,
    #[serde(flatten)]
    pub request: Request,
}

/// Everything the page can ask.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Request {
    /// The first request of a connection.
    Hello {
        protocol: [u32; 2],
        token: String,
        /// The session to go on with, after a lost connection.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        resume: Option<String>,
        /// How others see who it is that moves.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// Rows `from..to` (`to` is not included) of the run to a branch's tip, by step; without a branch of all rows in the order of
    /// the list.
    Rows {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        branch: Option<u32>,
        from: u32,
        to: u32,
        /// Also rows after the window whose message was sent before or in it.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        crossing: Option<bool>,
        /// Only rows that mattered; `total`, `from` and `to` count those. Only with `branch`.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        mattered: Option<bool>,
    },
    Members {
        place: u32,
    },
    /// The state of a place; parts whose keys are in `have` are not sent again.
    State {
        place: u32,
        #[serde(default)]
        have: Vec<String>,
        /// At most so many messages of each inbox; `inbox_total` says how many there are.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        most: Option<u32>,
    },
    Choices {
        place: u32,
        /// At most so many for each member and type, those that are recorded always; `counts` says how many there are.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        most: Option<u32>,
    },
    /// The state that a choice would lead to.
    Preview {
        place: u32,
        choice: u32,
        #[serde(default)]
        have: Vec<String>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        most: Option<u32>,
    },
    /// Takes a choice; `label` is its `label.text`, and has to be that of the choice.
    Step {
        place: u32,
        choice: u32,
        label: String,
    },
    /// The shortest run from a place to where a condition is met.
    Until {
        place: u32,
        when: When,
        #[serde(default)]
        limits: LimitsAsked,
    },
    /// What can still go wrong, choice by choice.
    Outlook {
        place: u32,
        #[serde(default)]
        limits: LimitsAsked,
    },
    /// How far everything is that a property says is possible, and which choice leads there first.
    Compass {
        place: u32,
        #[serde(default)]
        limits: LimitsAsked,
    },
    Compare {
        a: u32,
        b: u32,
    },
    /// Where a value comes from.
    Blame {
        place: u32,
        #[serde(default)]
        member: Option<u32>,
        path: Vec<String>,
    },
    /// Places, in the order of the list, to which all that is given applies.
    Find {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        text: Option<String>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        r#type: Option<String>,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        member: Option<u32>,
        /// Violated there.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        property: Option<u32>,
    },
    Random {
        place: u32,
        steps: u32,
        seed: u32,
    },
    /// Runs from a place that look different from each other and in which nothing goes wrong.
    Diverse {
        place: u32,
        runs: u32,
        seed: u32,
    },
    /// The run that is the same as the run to a place for as long as possible and ends well, as a branch.
    Good {
        place: u32,
        #[serde(default)]
        limits: LimitsAsked,
    },
    /// Opens a branch from the tip of a branch in which faults may happen that the check did not allow; off: names the branch it
    /// was opened from.
    Faults {
        branch: u32,
        on: bool,
        /// Where to branch off; the tip if it is not said.
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        place: Option<u32>,
    },
    /// Switches restrictions of the search on or off.
    Switches {
        restrictions: Vec<Restriction>,
    },
    /// Follows labels, one a line, or a whole trace.
    Follow {
        place: u32,
        text: String,
    },
    Note {
        place: u32,
        text: String,
    },
    Pin {
        path: String,
        on: bool,
    },
    Watch {
        path: String,
        on: bool,
    },
    NameBranch {
        branch: u32,
        name: String,
    },
    /// Where this page looks: told to the others, and saved.
    View {
        place: u32,
        #[serde(default)]
        only_mattered: bool,
    },
    /// A field at every step `from..to` of a branch.
    WatchValues {
        path: String,
        branch: u32,
        from: u32,
        to: u32,
    },
    /// The states around a place, laid out in layers.
    Neighbourhood {
        place: u32,
        radius: u32,
    },
    Story {
        branch: u32,
    },
    /// Properties and marks of every step of a branch, for a scrubber.
    Strip {
        branch: u32,
    },
    Branches {},
    Source {
        file: String,
    },
    /// The session as text; written to a file if it has a name, or the session came from one.
    Save {
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        name: Option<String>,
    },
    /// `trace`, `rust-test`, `erlang-test`, `svg`, `mermaid`, `html`, `itf`, `json` or `session`.
    Export {
        format: String,
        branch: u32,
        #[serde(default)]
        #[cfg_attr(test, ts(optional))]
        place: Option<u32>,
    },
    /// Ends a request that takes long.
    Cancel {
        of: u32,
    },
}

/// The words of all requests.
pub(crate) const REQUESTS: [&str; 33] = [
    "hello",
    "rows",
    "members",
    "state",
    "choices",
    "preview",
    "step",
    "until",
    "outlook",
    "compass",
    "compare",
    "blame",
    "find",
    "random",
    "diverse",
    "good",
    "faults",
    "switches",
    "follow",
    "note",
    "pin",
    "watch",
    "name_branch",
    "view",
    "watch_values",
    "neighbourhood",
    "story",
    "strip",
    "branches",
    "source",
    "save",
    "export",
    "cancel",
];

/// What to run until.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(untagged)]
pub enum When {
    /// A part of a member: its name, then the path; `is` is `=`, `!=`, `<`, `>` or `contains`.
    Field {
        field: Vec<String>,
        is: String,
        value: String,
    },
    Property {
        property: u32,
        holds: bool,
    },
    Label {
        label: String,
    },
    Finding {
        finding: bool,
    },
    Stuck {
        stuck: bool,
    },
}

/// How far to explore; a number that is not given is the server's own.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct LimitsAsked {
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub states: Option<u32>,
    #[serde(default)]
    #[cfg_attr(test, ts(optional))]
    pub ms: Option<u32>,
}

/// The answer to a request.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Answered {
    pub id: u32,
    #[serde(flatten)]
    pub outcome: Outcome,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Ok(Answer),
    Error(Refused),
}

/// Why a request was refused: a word for programs, a sentence for people, and what to do.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Refused {
    pub code: String,
    pub message: String,
    pub help: Option<String>,
}

/// What is answered; which one, the request says.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(untagged)]
pub enum Answer {
    Hello(Box<Hello>),
    Rows(Rows),
    Members(Members),
    State(Box<StateAnswer>),
    Choices(ChoicesAnswer),
    Step(Stepped),
    Until(UntilAnswer),
    Outlook(OutlookAnswer),
    Compare(Changes),
    Blame(Blame),
    Find(Places),
    Random(Walked),
    Diverse(Branches),
    Faults(OneBranch),
    Good(GoodRun),
    Compass(Compass),
    Switches(Restrictions),
    Follow(FollowedTo),
    WatchValues(Values),
    Neighbourhood(Neighbourhood),
    Story(Story),
    Strip(Strip),
    Source(SourceText),
    Save(Saved),
    Export(Exported),
    Done(Done),
}

/// For requests that only do something.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Done {}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Hello {
    /// `foresee 0.1.0`
    pub tool: String,
    pub protocol: [u32; 2],
    /// The session's name, for `resume`.
    pub session: String,
    /// What works here: `outlook`, `source`, `faults`, `neighbourhood`, `diverse`, `watch`, `rust-test`, `erlang-test`.
    pub features: Vec<String>,
    pub system: SystemInfo,
    /// On the way to the tip of the main branch.
    pub members: Vec<Member>,
    pub properties: Vec<Property>,
    pub opening: Opening,
    pub branches: Vec<Branch>,
    pub notes: Vec<Note>,
    pub pins: Vec<String>,
    pub watches: Vec<String>,
    pub view: View,
    /// Source files that can be asked for.
    pub files: Vec<String>,
    /// The session's file, if it has one.
    pub file: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct SystemInfo {
    pub name: String,
    /// As the user types it.
    pub text: String,
    pub parameters: Vec<(String, String)>,
    /// `nodes`, `erlang`, `algebra`, `lts` or `model`.
    pub front_end: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Property {
    pub name: String,
    /// `invariant`, `reachable`, `fault` or `deadlock`.
    pub kind: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Note {
    pub place: u32,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct View {
    pub place: u32,
    pub only_mattered: bool,
}

/// What the page says and shows first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Opening {
    pub place: u32,
    /// `violation`, `start`, `holds`, `goal`, `trace`, `session` or `simulation`.
    pub reason: String,
    pub property: Option<u32>,
    /// `violated: linearizable`
    pub verdict: String,
    /// One sentence.
    pub headline: String,
    pub why: Vec<String>,
    /// The place after whose step every run goes wrong.
    pub decisive: Option<u32>,
    /// The place whose step undoes something that an earlier step had settled.
    pub suspect: Option<u32>,
    /// What the decisive and the suspect step mean, in a sentence each; empty where there is none.
    pub decisive_why: String,
    pub suspect_why: String,
    /// The decisive step is still being looked for: `opening` comes as news.
    pub is_pending: bool,
    pub restrictions: Vec<Restriction>,
    pub operations: Vec<ClientOperations>,
    /// Who waits for whom, in a circle.
    pub cycle: Option<Vec<String>>,
    /// The place to which the run comes back for ever.
    pub lasso: Option<u32>,
    pub races: Vec<Race>,
    /// The formula that all this is about. Looking ahead does not know it.
    pub formula: Option<Formula>,
    /// The command that shows it again.
    pub replay: String,
    /// How it was checked and what else was found: a name and a text each.
    pub facts: Vec<(String, String)>,
}

/// A formula on one line: what stands before the part that is decided at the end of the run, the part, and what stands after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Formula {
    pub before: String,
    pub part: String,
    pub after: String,
}

/// A run that ends well: its branch, where it leaves the other run, its first step of its own, its end. All are null, and `text`
/// says so, if none is known.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct GoodRun {
    pub branch: Option<u32>,
    pub from: Option<u32>,
    pub place: Option<u32>,
    pub tip: Option<u32>,
    pub text: String,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Restriction {
    pub name: String,
    pub on: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct ClientOperations {
    pub member: String,
    pub operations: Vec<Operation>,
}

/// From the step that invoked it to the step that answered it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Operation {
    pub what: String,
    pub from: u32,
    pub to: Option<u32>,
    pub result: Option<String>,
    /// No order of the operations explains its result.
    pub impossible: bool,
}

/// Two places whose steps raced.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Race {
    pub first: u32,
    pub second: u32,
    pub text: String,
    /// The other order was tried, and nothing goes wrong in it.
    pub decides: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Branch {
    pub branch: u32,
    pub name: String,
    /// The place it forks from.
    pub from: Option<u32>,
    pub tip: u32,
    /// How many steps the run to its tip has.
    pub steps: u32,
    pub allows_more_faults: bool,
    /// What could not be done of it when the session was loaded: the code has changed.
    pub stopped: Option<Stopped>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Rows {
    pub total: u32,
    pub rows: Vec<Row>,
    pub crossing: Vec<Row>,
}

/// One place of a run: what happened there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Row {
    pub place: u32,
    /// The place before.
    pub after: Option<u32>,
    pub step: u32,
    /// `null` where a run starts.
    pub label: Option<Label>,
    pub member: Option<u32>,
    /// The place after whose step the message was there.
    pub sent_at: Option<u32>,
    /// The same message of the same send was delivered before.
    pub again: bool,
    pub hash: String,
    pub source: Option<Source>,
    pub findings: Vec<Finding>,
    /// Places reached from here.
    pub branches: Vec<u32>,
    pub branch: u32,
    pub rail: u32,
    /// `violation`, `decisive`, `suspect`, `fault`, `timer`.
    pub marks: Vec<String>,
    /// One character for each property: `h` holds, `v` violated, `?` not known.
    pub properties: String,
    pub caption: String,
    /// The name of the fold it belongs to; rows of one fold are adjacent.
    pub folded: Option<String>,
    /// In the causal past of the violation, or of the branch's tip where there is none.
    pub mattered: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Label {
    pub verb: String,
    pub from: Option<String>,
    pub to: Option<String>,
    pub payload: String,
    pub short: String,
    pub r#type: String,
    /// As traces write it.
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Source {
    pub file: String,
    pub line: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Finding {
    pub kind: String,
    pub property: Option<u32>,
    pub name: String,
    pub message: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Members {
    pub members: Vec<Member>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Member {
    pub member: u32,
    pub name: String,
    pub kind: String,
    pub parent: Option<u32>,
    /// The first place where it exists.
    pub born: u32,
    /// It takes part in a step that mattered.
    pub mattered: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct StateAnswer {
    pub place: u32,
    pub hash: String,
    pub members: Vec<MemberState>,
    pub shared: Vec<(String, String)>,
    pub properties: Vec<PropertyState>,
    /// Nothing can happen any more: why.
    pub stuck: Option<String>,
    pub is_final: bool,
    /// Those that were not in `have`.
    #[cfg_attr(test, schemars(with = "BTreeMap<String, TreeShape>"))]
    #[cfg_attr(test, ts(as = "BTreeMap<String, TreeShape>"))]
    pub parts: BTreeMap<String, Tree>,
    /// Against the step before.
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct MemberState {
    pub member: u32,
    pub name: String,
    pub status: String,
    /// The key of its state.
    pub state: String,
    pub inbox: Vec<Pending>,
    pub timers: Vec<Pending>,
    /// How many messages there are, however many are told.
    pub inbox_total: u32,
    /// Where an Erlang process is.
    pub line: Option<Source>,
    /// What an Erlang process waits for.
    pub waits_for: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Pending {
    pub from: String,
    pub part: String,
    pub choice: Option<u32>,
    pub why_not: Option<String>,
    pub sent_at: Option<u32>,
    pub delivered: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct PropertyState {
    pub property: u32,
    pub holds: bool,
    pub why: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Change {
    /// `null` for what is shared: its name is the first word of the path.
    pub member: Option<u32>,
    pub path: Vec<String>,
    #[cfg_attr(test, schemars(with = "Option<TreeShape>"))]
    #[cfg_attr(test, ts(as = "Option<TreeShape>"))]
    pub before: Option<Tree>,
    #[cfg_attr(test, schemars(with = "Option<TreeShape>"))]
    #[cfg_attr(test, ts(as = "Option<TreeShape>"))]
    pub after: Option<Tree>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Changes {
    pub changes: Vec<Change>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct ChoicesAnswer {
    pub choices: Vec<Choice>,
    pub not_possible: Vec<NotPossible>,
    pub faults: Vec<FaultBudget>,
    /// How many choices there are, however many are told.
    pub counts: Vec<ChoiceCount>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct ChoiceCount {
    pub member: Option<u32>,
    pub r#type: String,
    pub count: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Choice {
    pub choice: u32,
    pub label: Label,
    pub member: Option<u32>,
    /// The message or timer that it is about.
    pub part: Option<String>,
    pub is_fault: bool,
    /// Where it has led, if it was taken.
    pub place: Option<u32>,
    /// It is the next step of the branch.
    pub recorded: bool,
    /// It delivers a message that was delivered before.
    pub delivered: bool,
    /// `none`, `some`, `all` or `unknown`: which of the runs after it go wrong, as far as was asked.
    pub outlook: String,
    pub shortest: Option<u32>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct NotPossible {
    pub label: Label,
    pub member: Option<u32>,
    pub why: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct FaultBudget {
    pub word: String,
    pub left: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Stepped {
    pub place: u32,
    pub new: bool,
    pub branch: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct UntilAnswer {
    pub place: Option<u32>,
    pub states: u32,
    /// `states`, `time`, `interrupt`, …; `null` with no place: there is none.
    pub stopped_by: Option<String>,
    pub branch: Option<u32>,
    /// For a field: some of the values that it has in the states that were looked at.
    pub seen: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Compass {
    pub goals: Vec<Toward>,
}

/// `steps` is 0 if it is so here, null if no way is known; then `is_known` says whether there is none.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Toward {
    pub property: u32,
    pub steps: Option<u32>,
    pub choice: Option<u32>,
    pub is_known: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct OutlookAnswer {
    pub here: String,
    pub complete: bool,
    pub states: u32,
    pub shortest: Option<u32>,
    pub stopped_by: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Blame {
    /// Newest first.
    pub chain: Vec<BlameLink>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct BlameLink {
    pub place: u32,
    pub reason: String,
    pub member: Option<u32>,
    pub path: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Places {
    pub places: Vec<u32>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Walked {
    /// Where it ends.
    pub place: u32,
    pub places: Vec<u32>,
    pub branch: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Branches {
    pub branches: Vec<Branch>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct OneBranch {
    pub branch: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Restrictions {
    pub restrictions: Vec<Restriction>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct FollowedTo {
    pub place: u32,
    pub stopped: Option<Stopped>,
    pub branch: u32,
}

/// Where a list of labels stops applying.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Stopped {
    pub step: u32,
    pub label: String,
    pub why: String,
    /// The labels from there on, that one included.
    pub rest: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Values {
    pub values: Vec<Option<String>>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Neighbourhood {
    pub nodes: Vec<GraphNode>,
    pub edges: Vec<GraphEdge>,
    /// There are more states around than are shown.
    pub cut: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct GraphNode {
    pub id: u32,
    pub label: String,
    pub here: bool,
    /// Along the layer, and the layer; both from 0.
    pub x: f32,
    pub y: f32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct GraphEdge {
    pub from: u32,
    pub to: u32,
    pub label: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Story {
    pub title: String,
    pub sentences: Vec<Sentence>,
}

/// Tells of the steps from `first` to `last`, both included.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Sentence {
    pub text: String,
    pub first: u32,
    pub last: u32,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Strip {
    /// For each property one character for each step from 0: `h`, `v` or `?`.
    pub properties: Vec<String>,
    pub marks: Vec<StripMark>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct StripMark {
    pub step: u32,
    pub mark: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct SourceText {
    pub file: String,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Saved {
    /// The file that was written, if one was.
    pub file: Option<String>,
    pub text: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
pub struct Exported {
    pub name: String,
    pub text: String,
}

/// What happens without being asked for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema, ts_rs::TS))]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum News {
    /// Another page looks elsewhere.
    Moved {
        who: String,
        place: u32,
    },
    /// Another page is gone.
    Left {
        who: String,
    },
    Branches {
        branches: Vec<Branch>,
    },
    /// What is known of a choice.
    Outlook {
        place: u32,
        choice: u32,
        verdict: String,
        shortest: Option<u32>,
        complete: bool,
    },
    /// How far the request with this number is.
    Progress {
        of: u32,
        states: u32,
        depth: u32,
    },
    /// More is known of what went wrong.
    Opening {
        opening: Box<Opening>,
    },
    /// Notes, pins or watches have changed.
    Marked {
        notes: Vec<Note>,
        pins: Vec<String>,
        watches: Vec<String>,
    },
    /// The file was saved, and the session replayed on what is in it now. Places are new: ask for everything again.
    Reloaded {
        text: String,
        stopped: Vec<Stopped>,
    },
    /// After `reloaded`: what exploring from where the run stops now has found.
    Checked {
        text: String,
    },
    /// The server ends.
    Bye {},
}

/// `Tree` as it is written.
#[cfg(test)]
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
#[ts(rename = "Tree")]
#[schemars(rename = "Tree")]
pub enum TreeShape {
    Leaf(String),
    Record { name: String, fields: Vec<(String, TreeShape)> },
    List { name: String, items: Vec<TreeShape> },
    Map(Vec<(TreeShape, TreeShape)>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::generate::SchemaSettings;
    use ts_rs::TS;

    /// Which answer belongs to which request, for the page's types.
    const ANSWERS: &[(&str, &str)] = &[
        ("hello", "Hello"),
        ("rows", "Rows"),
        ("members", "Members"),
        ("state", "StateAnswer"),
        ("choices", "ChoicesAnswer"),
        ("preview", "StateAnswer"),
        ("step", "Stepped"),
        ("until", "UntilAnswer"),
        ("outlook", "OutlookAnswer"),
        ("compass", "Compass"),
        ("compare", "Changes"),
        ("blame", "Blame"),
        ("find", "Places"),
        ("random", "Walked"),
        ("diverse", "Branches"),
        ("good", "GoodRun"),
        ("faults", "OneBranch"),
        ("switches", "Restrictions"),
        ("follow", "FollowedTo"),
        ("note", "Done"),
        ("pin", "Done"),
        ("watch", "Done"),
        ("name_branch", "Done"),
        ("view", "Done"),
        ("watch_values", "Values"),
        ("neighbourhood", "Neighbourhood"),
        ("story", "Story"),
        ("strip", "Strip"),
        ("branches", "Branches"),
        ("source", "SourceText"),
        ("save", "Saved"),
        ("export", "Exported"),
        ("cancel", "Done"),
    ];

    macro_rules! declarations {
        ($($name:ty),* $(,)?) => { vec![$(<$name>::decl()),*] };
    }

    fn typescript() -> String {
        let types = declarations![
            Frame,
            Request,
            When,
            LimitsAsked,
            Refused,
            Done,
            Hello,
            SystemInfo,
            Property,
            Note,
            View,
            Opening,
            Restriction,
            ClientOperations,
            Operation,
            Race,
            Branch,
            Rows,
            Row,
            Label,
            Source,
            Finding,
            Members,
            Member,
            StateAnswer,
            MemberState,
            Pending,
            PropertyState,
            Change,
            Changes,
            ChoicesAnswer,
            Choice,
            NotPossible,
            FaultBudget,
            Stepped,
            UntilAnswer,
            OutlookAnswer,
            Blame,
            BlameLink,
            Places,
            Walked,
            Branches,
            GoodRun,
            Compass,
            Toward,
            Formula,
            OneBranch,
            Restrictions,
            FollowedTo,
            Stopped,
            Values,
            Neighbourhood,
            GraphNode,
            GraphEdge,
            Story,
            Sentence,
            Strip,
            StripMark,
            ChoiceCount,
            SourceText,
            Saved,
            Exported,
            News,
            TreeShape,
        ];
        let mut text = "// Made from crates/debugger/src/protocol.rs; do not edit. See there for how to write it anew.\n\n".to_owned();
        text +=
            &format!("export const PROTOCOL = [{}, {}] as const;\n\n", PROTOCOL[0], PROTOCOL[1]);
        for declared in types {
            text += &format!("export {declared}\n\n");
        }
        text += "/** The answer to each request. */\nexport interface Answers {\n";
        for (request, answer) in ANSWERS {
            text += &format!("  {request}: {answer};\n");
        }
        text + "}\n"
    }

    fn schema() -> String {
        #[derive(schemars::JsonSchema)]
        #[allow(dead_code, reason = "only its schema is used")]
        struct Protocol {
            request: Frame,
            answer: Answered,
            news: News,
        }
        let generator = SchemaSettings::draft2020_12().into_generator();
        let schema = generator.into_root_schema_for::<Protocol>();
        serde_json::to_string_pretty(&schema).expect("plain data") + "\n"
    }

    /// The page is built against these files.
    #[test]
    fn the_files_made_from_this_one_are_fresh() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        for (name, content) in
            [("web/src/protocol.ts", typescript()), ("protocol.schema.json", schema())]
        {
            let file = folder.join(name);
            if std::env::var_os("FORESEE_UPDATE").is_some() {
                std::fs::write(&file, &content).expect("a file that can be written");
            }
            let known = std::fs::read_to_string(&file).unwrap_or_default();
            assert!(
                known == content,
                "{name} is stale: FORESEE_UPDATE=1 cargo test -p foresee-debugger protocol"
            );
        }
    }

    #[test]
    fn every_request_has_an_answer() {
        let schema: serde_json::Value = serde_json::from_str(&schema()).expect("JSON");
        let requests = schema["$defs"]["Frame"]["oneOf"].as_array().expect("the requests").clone();
        let names: Vec<&str> =
            requests.iter().filter_map(|it| it["properties"]["do"]["const"].as_str()).collect();
        let answered: Vec<&str> = ANSWERS.iter().map(|(request, _)| *request).collect();
        assert_eq!(names, answered);
        assert_eq!(names, REQUESTS);
    }
}
