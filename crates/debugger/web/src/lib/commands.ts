// What every key does. The same table makes the buttons' tooltips, the palette and the list of keys.

import { address, asking, linkHere, session, store } from './app.ts';
import { type Chip, chipsOf, type LaneChips, refusal } from './chips.ts';
import { pathText } from './differences.ts';
import type { Command } from './keymap.ts';
import { playing } from './playing.ts';
import type { Dialog, View } from './store.ts';
import type { Choice } from './types.ts';

function open(dialog: Dialog): () => void {
  return () => store.set({ dialog, preview: null, until: { running: false, text: '' } });
}

// Lanes and chips.

function laneMembers(): number[] {
  const { model } = store;
  const shown = document.querySelectorAll<HTMLElement>('[data-lane]');
  const order = [...shown].map((lane) => Number(lane.dataset['lane']));
  return order.length > 0 ? order : model.members.map((one) => one.member);
}

function laneOf(member: number | null): LaneChips | null {
  const { choices, state, place } = store.model;
  return choices === null ? null : (chipsOf(choices, state?.place === place ? state : null).get(member) ?? null);
}

function focusLane(by: number): void {
  const members = laneMembers();
  if (members.length === 0) return;
  const at = members.indexOf(store.model.lane);
  const next = members[at === -1 ? (by > 0 ? 0 : members.length - 1) : (at + by + members.length) % members.length];
  if (next === undefined) return;
  store.set({ lane: next });
  const chip = document.querySelector<HTMLElement>(`[data-lane-chips="${next}"] button`);
  const head = document.querySelector<HTMLElement>(`[data-lane="${next}"]`);
  (chip ?? head)?.focus();
}

/** The lane that has the focus, or else the first that can do something. */
function currentLane(): number | null {
  const { lane, choices } = store.model;
  if (lane >= 0) return lane;
  return choices?.choices.find((one) => one.recorded)?.member ?? choices?.choices[0]?.member ?? null;
}

function nthChip(nth: number): void {
  const lane = laneOf(currentLane());
  const chips = lane === null ? [] : [...lane.chips, ...lane.groups.flatMap((group) => group.chips), ...lane.delivered];
  const chip = chips[nth - 1];
  if (chip === undefined) session.tell(`This lane has no ${nth}. choice.`);
  else act(chip);
}

/** Delivers or fires a chip, or says why it cannot. */
export function act(chip: Chip): void {
  if (chip.choice === null) session.tell(`Not possible: ${chip.why_not ?? ''}`, chip.label, 'bad');
  else if (session.can_act) void session.take(chip.choice);
}

/** The chip that has the focus, or else the recorded one. */
function focusedChip(): Chip | null {
  const focused = document.activeElement as HTMLElement | null;
  const key = focused?.dataset['chip'];
  const { choices, state, place } = store.model;
  if (choices === null) return null;
  const all = [...chipsOf(choices, state?.place === place ? state : null).values()].flatMap((lane) => [...lane.chips, ...lane.groups.flatMap((group) => group.chips), ...lane.delivered]);
  return all.find((chip) => chip.key === key) ?? (key === undefined ? (all.find((chip) => chip.recorded) ?? null) : null);
}

function fault(verb: 'drop' | 'duplicate'): void {
  const chip = focusedChip();
  const choice = chip === null ? null : verb === 'drop' ? chip.drop : chip.duplicate;
  if (choice !== null) void session.take(choice);
  else session.tell(refusal(store.model.choices, verb), '', 'bad');
}

function crash(): void {
  const { lane } = store.model;
  crashLane(lane >= 0 ? lane : null);
}

/** Crashes or restarts a member, whichever can happen. */
export function crashLane(member: number | null): void {
  const faults = laneOf(member)?.faults ?? [];
  const choice = faults.find((one) => one.label.verb === 'restart') ?? faults[0];
  if (choice !== undefined) void session.take(choice);
  else if (member === null) session.tell('Choose a lane first: h and l move between lanes.');
  else session.tell(refusal(store.model.choices, isCrashed(member) ? 'restart' : 'crash'), '', 'bad');
}

function isCrashed(member: number): boolean {
  return store.model.state?.members.find((one) => one.member === member)?.status === 'crashed';
}

/** Everything that can happen to the network as a whole. */
export function networkFaults(): Choice[] {
  return store.model.choices?.choices.filter((one) => ['partition', 'heal'].includes(one.label.verb)) ?? [];
}

// Values.

export type FieldAt = { member: number | null; owner: string; words: string[] };

/** The field that has the focus. */
export function focusedField(): FieldAt | null {
  const row = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>('[data-words]') ?? null;
  const chosen = row ?? document.querySelector<HTMLElement>(`[data-testid="field"][data-path="${CSS.escape(store.model.field ?? '')}"]`);
  if (chosen === null) return null;
  const number = chosen.dataset['number'];
  return {
    member: number === undefined || number === '' ? null : Number(number),
    owner: chosen.dataset['owner'] ?? '',
    words: JSON.parse(chosen.dataset['words'] ?? '[]') as string[],
  };
}

function withField(run: (field: FieldAt) => void): () => void {
  return () => {
    const field = focusedField();
    if (field === null) session.tell('Choose a field in the state first: click it, or Tab to it.');
    else run(field);
  };
}

// Looking.

const VIEWS: View[] = ['diagram', 'columns', 'graph', 'source'];

function cycleView(): void {
  const { view, hello } = store.model;
  const isAlgebra = hello?.system.front_end === 'algebra' || hello?.system.front_end === 'lts';
  const views: View[] = isAlgebra ? ['actions', 'graph', 'diagram', 'columns'] : VIEWS;
  show(views[(views.indexOf(view) + 1) % views.length] ?? 'diagram');
}

export function show(view: View): void {
  store.set({ view });
  if (view === 'graph') void asking.neighbourhood();
}

export function toggleMattered(): void {
  store.set({ only_mattered: !store.model.only_mattered });
  if (store.model.only_mattered) void session.needMattered().catch(() => undefined);
  void session.client.ask('view', { place: store.model.place, only_mattered: store.model.only_mattered }).catch(() => undefined);
}

export function toggleTheme(): void {
  const isDark = document.documentElement.dataset['theme'] === 'dark';
  store.set({ theme: isDark ? 'light' : 'dark' });
}

const REGIONS = ['why', 'run', 'diagram', 'state', 'transport'];

function nextRegion(): void {
  const regions = REGIONS.map((name) => document.querySelector<HTMLElement>(`[data-region="${name}"]`)).filter((one) => one !== null);
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + 1) % regions.length];
  const inside = next?.querySelector<HTMLElement>('button:not([tabindex="-1"]), [tabindex="0"], input, a[href]');
  inside?.focus();
}

async function share(): Promise<void> {
  const link = linkHere();
  history.replaceState(null, '', link);
  try {
    await navigator.clipboard.writeText(link);
    session.tell('The link to this step is copied.', link, 'good');
  } catch {
    session.tell('The link to this step:', link);
  }
}

function back(): void {
  const { back: place } = store.model;
  if (place !== null) void session.go(place);
}

/** Escape closes what is open, the innermost first. */
function close(): void {
  const { model } = store;
  if (model.dialog !== null) {
    if (model.until.running) asking.cancelUntil();
    store.set({ dialog: null });
  } else if (model.preview !== null) asking.endPreview();
  else if (model.compare !== null) asking.endCompare();
  else if (model.is_playing) playing.stop();
  else if (model.crumbs.length > 0) asking.endBlame();
  else if (model.drawer) store.set({ drawer: false });
  else store.set({ notice: null, found: [], filter: '' });
}

const nth: Command[] = Array.from({ length: 9 }, (_, at) => ({
  id: `chip-${at + 1}`,
  keys: [String(at + 1)],
  name: `Choice ${at + 1} of the lane`,
  group: 'Act',
  run: () => nthChip(at + 1),
}));

export const COMMANDS: Command[] = [
  { id: 'next', keys: ['n', 'ArrowRight'], name: 'Next step', group: 'Travel', run: () => void session.move(1) },
  { id: 'previous', keys: ['p', 'ArrowLeft'], name: 'Previous step', group: 'Travel', run: () => void session.move(-1) },
  { id: 'first', keys: ['Home'], name: 'First step', group: 'Travel', run: () => void session.goToStep(0) },
  { id: 'last', keys: ['End'], name: 'Last step', group: 'Travel', run: () => void session.goToStep(Number.MAX_SAFE_INTEGER) },
  { id: 'goto', keys: ['g'], name: 'Go to step …', group: 'Travel', run: open('goto') },
  { id: 'play', keys: [' '], name: 'Play the story', group: 'Travel', run: () => playing.toggle() },
  { id: 'back', keys: ['z'], name: 'Back to where I was', group: 'Travel', run: back },
  { id: 'lane-left', keys: ['h'], name: 'Lane to the left', group: 'Act', run: () => focusLane(-1) },
  { id: 'lane-right', keys: ['l'], name: 'Lane to the right', group: 'Act', run: () => focusLane(1) },
  ...nth,
  { id: 'drop', keys: ['d'], name: 'Drop the message', group: 'Act', run: () => fault('drop') },
  { id: 'duplicate', keys: ['D'], name: 'Duplicate the message', group: 'Act', run: () => fault('duplicate') },
  { id: 'crash', keys: ['c'], name: 'Crash or restart the lane', group: 'Act', run: crash },
  { id: 'partition', keys: ['P'], name: 'Cut or heal the network …', group: 'Act', run: open('partition') },
  { id: 'until', keys: ['u'], name: 'Run until…', group: 'Act', run: open('until') },
  { id: 'random', keys: ['r'], name: 'Random steps …', group: 'Act', run: open('random') },
  { id: 'faults', keys: ['F'], name: 'Allow faults the check did not', group: 'Act', run: () => void asking.allowFaults() },
  { id: 'name', keys: ['b'], name: 'Name this branch …', group: 'Branches', run: open('name') },
  { id: 'branch', keys: ['B'], name: 'Next branch', group: 'Branches', run: () => void asking.nextBranch() },
  { id: 'note', keys: ['N'], name: 'Note on this step …', group: 'Branches', run: open('note') },
  { id: 'blame', keys: ['['], name: 'Where this value came from', group: 'Values', run: withField((field) => void asking.blame(field.member, field.owner, field.words)) },
  { id: 'unblame', keys: [']'], name: 'Forward along the blame', group: 'Values', run: () => void asking.unblame() },
  { id: 'pin', keys: ['.'], name: 'Pin the field', group: 'Values', run: withField((field) => void asking.pin(pathText(field.owner, field.words))) },
  { id: 'watch', keys: ['x'], name: 'Watch the field in the run list', group: 'Values', run: withField((field) => void asking.watch(pathText(field.owner, field.words))) },
  { id: 'compare', keys: ['='], name: 'Mark this step, compare with the mark', group: 'Values', run: () => void asking.compareHere() },
  { id: 'changed', keys: ['m'], name: 'Changed only', group: 'Values', run: () => store.set({ changed_only: !store.model.changed_only }) },
  { id: 'mattered', keys: ['o'], name: 'Only what mattered', group: 'Look', run: toggleMattered },
  { id: 'why', keys: ['w'], name: 'Fold the explanation', group: 'Look', run: () => store.set({ why_folded: !store.model.why_folded }) },
  { id: 'drawer', keys: ['e'], name: 'State drawer', group: 'Look', run: () => store.set({ drawer: !store.model.drawer }) },
  { id: 'ahead', keys: ['L'], name: 'Look ahead', group: 'Look', run: () => asking.toggleLookAhead() },
  { id: 'view', keys: ['v'], name: 'Next view: diagram, columns, graph, source', group: 'Look', run: cycleView },
  { id: 'table', keys: ['t'], name: 'Everything pending as a table', group: 'Look', run: () => { open('table')(); void session.needWhole(); } },
  { id: 'facts', keys: ['i'], name: 'How it was checked', group: 'Look', run: open('facts') },
  { id: 'find', keys: ['/'], name: 'Find', group: 'Look', run: open('find') },
  { id: 'region', keys: ['F6'], name: 'Next region', group: 'Look', run: nextRegion },
  { id: 'theme', keys: ['T'], name: 'Dark or light', group: 'Look', run: toggleTheme },
  { id: 'palette', keys: ['Ctrl+k'], name: 'All commands', group: 'Session', run: open('palette') },
  { id: 'share', keys: ['y'], name: 'Share a link to this step', group: 'Session', run: () => void share() },
  { id: 'save', keys: ['s'], name: 'Save the session', group: 'Session', run: () => void asking.save() },
  { id: 'export', keys: ['E'], name: 'Export …', group: 'Session', run: open('export') },
  { id: 'paste', keys: ['V'], name: 'Follow a pasted trace …', group: 'Session', run: open('paste') },
  { id: 'good', keys: ['G'], name: 'Nearest good run', group: 'Branches', run: () => void asking.good() },
  { id: 'diverse', keys: [], name: 'Show me different runs', group: 'Session', run: () => void asking.diverse() },
  { id: 'keys', keys: ['?'], name: 'Keys', group: 'Session', run: open('keys') },
  { id: 'close', keys: ['Escape'], name: 'Close', group: 'Session', run: close },
];

export function command(id: string): Command {
  const found = COMMANDS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no command ${id}`);
  return found;
}

export { address };
