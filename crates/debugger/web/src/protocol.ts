// Made from crates/debugger/src/protocol.rs; do not edit. See there for how to write it anew.

export const PROTOCOL = [1, 0] as const;

export type Frame = { id: number, } & ({ "do": "hello", protocol: [number, number], token: string, 
/**
 * The session to go on with, after a lost connection.
 */
resume?: string, 
/**
 * How others see who it is that moves.
 */
name?: string, } | { "do": "rows", branch?: number, from: number, to: number, 
/**
 * Also rows after the window whose message was sent before or in it.
 */
crossing?: boolean, 
/**
 * Only rows that mattered; `total`, `from` and `to` count those. Only with `branch`.
 */
mattered?: boolean, } | { "do": "members", place: number, } | { "do": "state", place: number, have: Array<string>, 
/**
 * At most so many messages of each inbox; `inbox_total` says how many there are.
 */
most?: number, } | { "do": "choices", place: number, 
/**
 * At most so many for each member and type, those that are recorded always; `counts` says how many there are.
 */
most?: number, } | { "do": "preview", place: number, choice: number, have: Array<string>, most?: number, } | { "do": "step", place: number, choice: number, label: string, } | { "do": "until", place: number, when: When, limits: LimitsAsked, } | { "do": "outlook", place: number, limits: LimitsAsked, } | { "do": "compass", place: number, limits: LimitsAsked, } | { "do": "compare", a: number, b: number, } | { "do": "blame", place: number, member: number | null, path: Array<string>, } | { "do": "find", text?: string, type?: string, member?: number, 
/**
 * Violated there.
 */
property?: number, } | { "do": "random", place: number, steps: number, seed: number, } | { "do": "diverse", place: number, runs: number, seed: number, } | { "do": "good", place: number, limits: LimitsAsked, } | { "do": "faults", branch: number, on: boolean, 
/**
 * Where to branch off; the tip if it is not said.
 */
place?: number, } | { "do": "switches", restrictions: Array<Restriction>, } | { "do": "follow", place: number, text: string, } | { "do": "note", place: number, text: string, } | { "do": "pin", path: string, on: boolean, } | { "do": "watch", path: string, on: boolean, } | { "do": "name_branch", branch: number, name: string, } | { "do": "view", place: number, only_mattered: boolean, } | { "do": "watch_values", path: string, branch: number, from: number, to: number, } | { "do": "neighbourhood", place: number, radius: number, } | { "do": "story", branch: number, } | { "do": "strip", branch: number, } | { "do": "branches", } | { "do": "source", file: string, } | { "do": "save", name?: string, } | { "do": "export", format: string, branch: number, place?: number, } | { "do": "cancel", of: number, });

export type Request = { "do": "hello", protocol: [number, number], token: string, 
/**
 * The session to go on with, after a lost connection.
 */
resume?: string, 
/**
 * How others see who it is that moves.
 */
name?: string, } | { "do": "rows", branch?: number, from: number, to: number, 
/**
 * Also rows after the window whose message was sent before or in it.
 */
crossing?: boolean, 
/**
 * Only rows that mattered; `total`, `from` and `to` count those. Only with `branch`.
 */
mattered?: boolean, } | { "do": "members", place: number, } | { "do": "state", place: number, have: Array<string>, 
/**
 * At most so many messages of each inbox; `inbox_total` says how many there are.
 */
most?: number, } | { "do": "choices", place: number, 
/**
 * At most so many for each member and type, those that are recorded always; `counts` says how many there are.
 */
most?: number, } | { "do": "preview", place: number, choice: number, have: Array<string>, most?: number, } | { "do": "step", place: number, choice: number, label: string, } | { "do": "until", place: number, when: When, limits: LimitsAsked, } | { "do": "outlook", place: number, limits: LimitsAsked, } | { "do": "compass", place: number, limits: LimitsAsked, } | { "do": "compare", a: number, b: number, } | { "do": "blame", place: number, member: number | null, path: Array<string>, } | { "do": "find", text?: string, type?: string, member?: number, 
/**
 * Violated there.
 */
property?: number, } | { "do": "random", place: number, steps: number, seed: number, } | { "do": "diverse", place: number, runs: number, seed: number, } | { "do": "good", place: number, limits: LimitsAsked, } | { "do": "faults", branch: number, on: boolean, 
/**
 * Where to branch off; the tip if it is not said.
 */
place?: number, } | { "do": "switches", restrictions: Array<Restriction>, } | { "do": "follow", place: number, text: string, } | { "do": "note", place: number, text: string, } | { "do": "pin", path: string, on: boolean, } | { "do": "watch", path: string, on: boolean, } | { "do": "name_branch", branch: number, name: string, } | { "do": "view", place: number, only_mattered: boolean, } | { "do": "watch_values", path: string, branch: number, from: number, to: number, } | { "do": "neighbourhood", place: number, radius: number, } | { "do": "story", branch: number, } | { "do": "strip", branch: number, } | { "do": "branches", } | { "do": "source", file: string, } | { "do": "save", name?: string, } | { "do": "export", format: string, branch: number, place?: number, } | { "do": "cancel", of: number, };

export type When = { field: Array<string>, is: string, value: string, } | { property: number, holds: boolean, } | { label: string, } | { finding: boolean, } | { stuck: boolean, };

export type LimitsAsked = { states?: number, ms?: number, };

export type Refused = { code: string, message: string, help: string | null, };

export type Done = Record<string, never>;

export type Hello = { 
/**
 * `foresee 0.1.0`
 */
tool: string, protocol: [number, number], 
/**
 * The session's name, for `resume`.
 */
session: string, 
/**
 * What works here: `outlook`, `source`, `faults`, `neighbourhood`, `diverse`, `watch`, `rust-test`, `erlang-test`.
 */
features: Array<string>, system: SystemInfo, 
/**
 * On the way to the tip of the main branch.
 */
members: Array<Member>, properties: Array<Property>, opening: Opening, branches: Array<Branch>, notes: Array<Note>, pins: Array<string>, watches: Array<string>, view: View, 
/**
 * Source files that can be asked for.
 */
files: Array<string>, 
/**
 * The session's file, if it has one.
 */
file: string | null, };

export type SystemInfo = { name: string, 
/**
 * As the user types it.
 */
text: string, parameters: Array<[string, string]>, 
/**
 * `nodes`, `erlang`, `algebra`, `lts` or `model`.
 */
front_end: string, };

export type Property = { name: string, 
/**
 * `invariant`, `reachable`, `fault` or `deadlock`.
 */
kind: string, };

export type Note = { place: number, text: string, };

export type View = { place: number, only_mattered: boolean, };

export type Opening = { place: number, 
/**
 * `violation`, `start`, `holds`, `goal`, `trace`, `session` or `simulation`.
 */
reason: string, property: number | null, 
/**
 * `violated: linearizable`
 */
verdict: string, 
/**
 * One sentence.
 */
headline: string, why: Array<string>, 
/**
 * The place after whose step every run goes wrong.
 */
decisive: number | null, 
/**
 * The place whose step undoes something that an earlier step had settled.
 */
suspect: number | null, 
/**
 * What the decisive and the suspect step mean, in a sentence each; empty where there is none.
 */
decisive_why: string, suspect_why: string, 
/**
 * The decisive step is still being looked for: `opening` comes as news.
 */
is_pending: boolean, restrictions: Array<Restriction>, operations: Array<ClientOperations>, 
/**
 * Who waits for whom, in a circle.
 */
cycle: Array<string> | null, 
/**
 * The place to which the run comes back for ever.
 */
lasso: number | null, races: Array<Race>, 
/**
 * The formula that all this is about. Looking ahead does not know it.
 */
formula: Formula | null, 
/**
 * The command that shows it again.
 */
replay: string, 
/**
 * How it was checked and what else was found: a name and a text each.
 */
facts: Array<[string, string]>, };

export type Restriction = { name: string, on: boolean, };

export type ClientOperations = { member: string, operations: Array<Operation>, };

export type Operation = { what: string, from: number, to: number | null, result: string | null, 
/**
 * No order of the operations explains its result.
 */
impossible: boolean, };

export type Race = { first: number, second: number, text: string, 
/**
 * The other order was tried, and nothing goes wrong in it.
 */
decides: boolean, };

export type Branch = { branch: number, name: string, 
/**
 * The place it forks from.
 */
from: number | null, tip: number, 
/**
 * How many steps the run to its tip has.
 */
steps: number, allows_more_faults: boolean, 
/**
 * What could not be done of it when the session was loaded: the code has changed.
 */
stopped: Stopped | null, };

export type Rows = { total: number, rows: Array<Row>, crossing: Array<Row>, };

export type Row = { place: number, 
/**
 * The place before.
 */
after: number | null, step: number, 
/**
 * `null` where a run starts.
 */
label: Label | null, member: number | null, 
/**
 * The place after whose step the message was there.
 */
sent_at: number | null, 
/**
 * The same message of the same send was delivered before.
 */
again: boolean, hash: string, source: Source | null, findings: Array<Finding>, 
/**
 * Places reached from here.
 */
branches: Array<number>, branch: number, rail: number, 
/**
 * `violation`, `decisive`, `suspect`, `fault`, `timer`.
 */
marks: Array<string>, 
/**
 * One character for each property: `h` holds, `v` violated, `?` not known.
 */
properties: string, caption: string, 
/**
 * The name of the fold it belongs to; rows of one fold are adjacent.
 */
folded: string | null, 
/**
 * In the causal past of the violation, or of the branch's tip where there is none.
 */
mattered: boolean, };

export type Label = { verb: string, from: string | null, to: string | null, payload: string, short: string, type: string, 
/**
 * As traces write it.
 */
text: string, };

export type Source = { file: string, line: number, };

export type Finding = { kind: string, property: number | null, name: string, message: string, };

export type Members = { members: Array<Member>, };

export type Member = { member: number, name: string, kind: string, parent: number | null, 
/**
 * The first place where it exists.
 */
born: number, 
/**
 * It takes part in a step that mattered.
 */
mattered: boolean, };

export type StateAnswer = { place: number, hash: string, members: Array<MemberState>, shared: Array<[string, string]>, properties: Array<PropertyState>, 
/**
 * Nothing can happen any more: why.
 */
stuck: string | null, is_final: boolean, 
/**
 * Those that were not in `have`.
 */
parts: { [key in string]?: Tree }, 
/**
 * Against the step before.
 */
changes: Array<Change>, };

export type MemberState = { member: number, name: string, status: string, 
/**
 * The key of its state.
 */
state: string, inbox: Array<Pending>, timers: Array<Pending>, 
/**
 * How many messages there are, however many are told.
 */
inbox_total: number, 
/**
 * Where an Erlang process is.
 */
line: Source | null, 
/**
 * What an Erlang process waits for.
 */
waits_for: Array<string> | null, };

export type Pending = { from: string, part: string, choice: number | null, why_not: string | null, sent_at: number | null, delivered: boolean, };

export type PropertyState = { property: number, holds: boolean, why: string, };

export type Change = { 
/**
 * `null` for what is shared: its name is the first word of the path.
 */
member: number | null, path: Array<string>, before: Tree | null, after: Tree | null, };

export type Changes = { changes: Array<Change>, };

export type ChoicesAnswer = { choices: Array<Choice>, not_possible: Array<NotPossible>, faults: Array<FaultBudget>, 
/**
 * How many choices there are, however many are told.
 */
counts: Array<ChoiceCount>, };

export type Choice = { choice: number, label: Label, member: number | null, 
/**
 * The message or timer that it is about.
 */
part: string | null, is_fault: boolean, 
/**
 * Where it has led, if it was taken.
 */
place: number | null, 
/**
 * It is the next step of the branch.
 */
recorded: boolean, 
/**
 * It delivers a message that was delivered before.
 */
delivered: boolean, 
/**
 * `none`, `some`, `all` or `unknown`: which of the runs after it go wrong, as far as was asked.
 */
outlook: string, shortest: number | null, };

export type NotPossible = { label: Label, member: number | null, why: string, };

export type FaultBudget = { word: string, left: number, };

export type Stepped = { place: number, new: boolean, branch: number, };

export type UntilAnswer = { place: number | null, states: number, 
/**
 * `states`, `time`, `interrupt`, …; `null` with no place: there is none.
 */
stopped_by: string | null, branch: number | null, 
/**
 * For a field: some of the values that it has in the states that were looked at.
 */
seen: Array<string>, };

export type OutlookAnswer = { here: string, complete: boolean, states: number, shortest: number | null, stopped_by: string | null, };

export type Blame = { 
/**
 * Newest first.
 */
chain: Array<BlameLink>, };

export type BlameLink = { place: number, reason: string, member: number | null, path: Array<string>, };

export type Places = { places: Array<number>, };

export type Walked = { 
/**
 * Where it ends.
 */
place: number, places: Array<number>, branch: number, };

export type Branches = { branches: Array<Branch>, };

export type GoodRun = { branch: number | null, from: number | null, place: number | null, tip: number | null, text: string, };

export type Compass = { goals: Array<Toward>, };

export type Toward = { property: number, steps: number | null, choice: number | null, is_known: boolean, };

export type Formula = { before: string, part: string, after: string, };

export type OneBranch = { branch: number, };

export type Restrictions = { restrictions: Array<Restriction>, };

export type FollowedTo = { place: number, stopped: Stopped | null, branch: number, };

export type Stopped = { step: number, label: string, why: string, 
/**
 * The labels from there on, that one included.
 */
rest: Array<string>, };

export type Values = { values: Array<string | null>, };

export type Neighbourhood = { nodes: Array<GraphNode>, edges: Array<GraphEdge>, 
/**
 * There are more states around than are shown.
 */
cut: boolean, };

export type GraphNode = { id: number, label: string, here: boolean, 
/**
 * Along the layer, and the layer; both from 0.
 */
x: number, y: number, };

export type GraphEdge = { from: number, to: number, label: string, };

export type Story = { title: string, sentences: Array<Sentence>, };

export type Sentence = { text: string, first: number, last: number, };

export type Strip = { 
/**
 * For each property one character for each step from 0: `h`, `v` or `?`.
 */
properties: Array<string>, marks: Array<StripMark>, };

export type StripMark = { step: number, mark: string, };

export type ChoiceCount = { member: number | null, type: string, count: number, };

export type SourceText = { file: string, text: string, };

export type Saved = { 
/**
 * The file that was written, if one was.
 */
file: string | null, text: string, };

export type Exported = { name: string, text: string, };

export type News = { "news": "moved", who: string, place: number, } | { "news": "left", who: string, } | { "news": "branches", branches: Array<Branch>, } | { "news": "outlook", place: number, choice: number, verdict: string, shortest: number | null, complete: boolean, } | { "news": "progress", of: number, states: number, depth: number, } | { "news": "opening", opening: Opening, } | { "news": "marked", notes: Array<Note>, pins: Array<string>, watches: Array<string>, } | { "news": "reloaded", text: string, stopped: Array<Stopped>, } | { "news": "checked", text: string, } | { "news": "bye", };

export type Tree = { "leaf": string } | { "record": { name: string, fields: Array<[string, Tree]>, } } | { "list": { name: string, items: Array<Tree>, } } | { "map": Array<[Tree, Tree]> };

/** The answer to each request. */
export interface Answers {
  hello: Hello;
  rows: Rows;
  members: Members;
  state: StateAnswer;
  choices: ChoicesAnswer;
  preview: StateAnswer;
  step: Stepped;
  until: UntilAnswer;
  outlook: OutlookAnswer;
  compass: Compass;
  compare: Changes;
  blame: Blame;
  find: Places;
  random: Walked;
  diverse: Branches;
  good: GoodRun;
  faults: OneBranch;
  switches: Restrictions;
  follow: FollowedTo;
  note: Done;
  pin: Done;
  watch: Done;
  name_branch: Done;
  view: Done;
  watch_values: Values;
  neighbourhood: Neighbourhood;
  story: Story;
  strip: Strip;
  branches: Branches;
  source: SourceText;
  save: Saved;
  export: Exported;
  cancel: Done;
}
