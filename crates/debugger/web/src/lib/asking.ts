// What one can ask and tell besides travelling: looking ahead, run until, random steps, find, compare, blame, notes, pins, files.

import { type Fields, Refusal } from './client.ts';
import { pathText } from './differences.ts';
import { cut } from './tree.ts';
import type { Session } from './session.ts';
import type { Verdict } from './store.ts';
import type { Blame, Branch, Change, Choice, Followed, GoodRun, Graph, News, StateAnswer, Story, Toward, Until } from './types.ts';

const COMPASS_LIMITS = { states: 60_000, ms: 3_000 };
const OUTLOOK_LIMITS = { states: 200_000, ms: 2_500 };
const OUTLOOK_DELAY_MS = 120;
const HEARD_EVERY_MS = 60;
/** With more choices than these, looking ahead from each would say nothing in time. */
const LOOKED_AT_MAX = 300;
const STOPPED = 'Stopped; nothing has moved.';

export type When =
  | { field: string[]; is: string; value: string }
  | { property: number; holds: boolean }
  | { label: string }
  | { finding: true }
  | { stuck: true };

export class Asking {
  private outlookTimer: ReturnType<typeof setTimeout> | null = null;
  private outlookId: number | null = null;
  private untilId: number | null = null;
  private previewed = '';
  private telling: number | null = null;
  private readonly heard = new Map<string, Verdict>();
  private hearing: ReturnType<typeof setTimeout> | null = null;

  constructor(private readonly session: Session) {
    session.onMoved = () => this.moved();
    session.onOther = (news) => this.news(news);
  }

  private get store() {
    return this.session.store;
  }

  private ask<T>(what: string, fields: Fields = {}, started?: (id: number) => void): Promise<T> {
    return this.session.client.ask<T>(what, fields, started);
  }

  // After every move.

  private moved(): void {
    const { model } = this.store;
    if (model.view === 'graph' || model.hello?.system.front_end === 'lts') void this.neighbourhood();
    const file = model.row?.source?.file ?? model.state?.members.find((one) => one.line !== null)?.line?.file;
    if (file !== undefined && file !== null) void this.source(file);
    this.lookAhead();
  }

  private news(news: News): void {
    const { model } = this.store;
    if (news.news === 'outlook') {
      this.heard.set(outlookKey(news.place, news.choice), news);
      this.hearing ??= setTimeout(() => this.hear(), HEARD_EVERY_MS);
    } else if (news.news === 'progress') {
      if (news.of === this.untilId) {
        const text = `${news.states.toLocaleString('en')} states, ${news.depth} steps deep`;
        this.store.set({ until: { running: true, text } });
      }
    } else if (news.news === 'opening') {
      if (model.hello !== null) this.store.set({ hello: { ...model.hello, opening: news.opening } });
      this.session.refreshRows();
    } else if (news.news === 'marked') {
      this.store.set({ notes: news.notes, pins: news.pins, watches: news.watches });
    }
  }

  // Looking ahead.

  /** Verdicts come one by one; they are shown together, since each drawing looks at all of them. */
  private hear(): void {
    this.hearing = null;
    this.store.set({ outlook: new Map([...this.store.model.outlook, ...this.heard]) });
    this.heard.clear();
  }

  lookAhead(): void {
    const { model } = this.store;
    if (this.outlookTimer !== null) clearTimeout(this.outlookTimer);
    if (this.outlookId !== null) void this.ask('cancel', { of: this.outlookId }).catch(() => undefined);
    this.outlookId = null;
    const offers = model.hello?.features.includes('outlook') ?? false;
    const isAfter = (model.row?.findings.length ?? 0) > 0;
    if (!model.looks_ahead || (model.hello?.opening.formula ?? null) !== null || !offers || isAfter || model.is_story || !this.session.can_act) {
      if (model.looking) this.store.set({ looking: false });
      return;
    }
    if ((model.choices?.choices.length ?? 0) > LOOKED_AT_MAX) return;
    const place = model.place;
    const isKnown = model.choices?.choices.every((one) => model.outlook.has(outlookKey(place, one.choice)));
    if (isKnown === true) {
      if (model.compass?.place !== place) void this.askCompass(place);
      return;
    }
    this.outlookTimer = setTimeout(() => void this.askOutlook(place), OUTLOOK_DELAY_MS);
  }

  private async askOutlook(place: number): Promise<void> {
    this.store.set({ looking: true });
    let own: number | null = null;
    try {
      await this.ask('outlook', { place, limits: OUTLOOK_LIMITS }, (id) => {
        own = id;
        this.outlookId = id;
      });
    } catch {
      // Not known is a good answer, too: the chips say so.
    }
    if (this.outlookId !== own) return;
    this.outlookId = null;
    this.store.set({ looking: false });
    await this.askCompass(place);
  }

  /** How far the goals are, if the system has some. */
  private async askCompass(place: number): Promise<void> {
    const { hello, place: now } = this.store.model;
    if (now !== place || !(hello?.properties.some((one) => one.kind === 'reachable') ?? false)) return;
    try {
      const { goals } = await this.ask<{ goals: Toward[] }>('compass', { place, limits: COMPASS_LIMITS });
      if (this.store.model.place === place) this.store.set({ compass: { place, goals } });
    } catch {
      // Without it there are no distances to show.
    }
  }

  toggleLookAhead(): void {
    if ((this.store.model.hello?.opening.formula ?? null) !== null) {
      this.session.tell('Looking ahead knows faults and deadlocks, but not formulas.');
      return;
    }
    this.store.set({ looks_ahead: !this.store.model.looks_ahead });
    this.lookAhead();
  }

  async preview(choice: Choice, x: number, y: number): Promise<void> {
    const { place } = this.store.model;
    const key = `${place}:${choice.choice}`;
    this.previewed = key;
    if (!this.session.can_act) return;
    try {
      const fields = { place, choice: choice.choice, have: this.session.have(), most: 12 };
      const state = await this.ask<StateAnswer>('preview', fields);
      this.session.parts.learn(state.parts);
      if (this.previewed !== key || this.store.model.place !== place) return;
      this.store.set({ preview: { state, title: `After ${choice.label.text}`, x, y } });
    } catch {
      // A preview that does not come is no news.
    }
  }

  async previewPlace(place: number, title: string, x: number, y: number): Promise<void> {
    const key = `place ${place}`;
    this.previewed = key;
    try {
      const state = await this.session.state(place);
      if (this.previewed === key) this.store.set({ preview: { state, title, x, y } });
    } catch {
      // As above.
    }
  }

  endPreview(): void {
    this.previewed = '';
    if (this.store.model.preview !== null) this.store.set({ preview: null });
  }

  // Running on.

  async runUntil(when: When, states: number): Promise<void> {
    const { place } = this.store.model;
    this.store.set({ until: { running: true, text: 'looking …' } });
    try {
      const limits = { states, ms: 60_000 };
      const found = await this.ask<Until>('until', { place, when, limits }, (id) => {
        this.untilId = id;
      });
      this.untilId = null;
      if (found.place === null) this.store.set({ until: { running: false, text: notFound(found, states) } });
      else {
        this.store.set({ until: { running: false, text: '' }, dialog: null });
        await this.arrive(found.place, found.branch);
      }
    } catch (error) {
      const isStopped = error instanceof Refusal && error.code === 'cancelled';
      const text = isStopped ? STOPPED : error instanceof Error ? error.message : String(error);
      this.store.set({ until: { running: false, text } });
    }
  }

  cancelUntil(): void {
    if (this.untilId === null) return;
    void this.ask('cancel', { of: this.untilId }).catch(() => undefined);
    this.untilId = null;
    this.store.set({ until: { running: false, text: STOPPED } });
  }

  async random(steps: number, seed: number): Promise<void> {
    await this.session.until(async () => {
      const { place } = this.store.model;
      const done = await this.ask<{ place: number; branch: number }>('random', { place, steps, seed });
      await this.session.arriveAnew(done.place, done.branch);
    });
  }

  /** The run that is the same as the one that went wrong for as long as possible, and ends well. */
  async good(): Promise<void> {
    const opening = this.store.model.hello?.opening;
    if (opening === undefined || opening.reason !== 'violation') {
      this.session.tell('Nothing went wrong on this run.');
      return;
    }
    this.session.tell('Looking for the nearest run that ends well …');
    await this.session.until(async () => {
      const good = await this.ask<GoodRun>('good', { place: opening.place, limits: { states: 500_000, ms: 20_000 } });
      if (good.place === null || good.branch === null) {
        this.session.tell(good.text);
        return;
      }
      this.store.set({ good, notice: null });
      await this.session.arriveAnew(good.place, good.branch);
    });
  }

  async diverse(): Promise<void> {
    await this.session.until(async () => {
      const { place } = this.store.model;
      const { branches } = await this.ask<{ branches: Branch[] }>('diverse', { place, runs: 5, seed: 1 });
      const first = branches.find((one) => !this.store.model.branches.some((old) => old.branch === one.branch)) ?? branches[branches.length - 1];
      this.session.tell(`${branches.length} runs that look different are in the run list.`, '', 'good');
      if (first !== undefined) await this.session.arriveAnew(first.tip, first.branch);
    });
  }

  async allowFaults(): Promise<void> {
    await this.session.until(async () => {
      const { branch, place } = this.store.model;
      const answer = await this.ask<{ branch: number; place?: number }>('faults', { branch, place, on: true });
      this.session.forgetChoices();
      await this.session.arriveAnew(answer.place ?? place, answer.branch);
      this.session.tell('This branch allows faults that the check did not: drop, duplicate, crash, cut.', '', 'good');
    });
  }

  async follow(text: string): Promise<void> {
    await this.session.until(async () => {
      const { place } = this.store.model;
      const followed = await this.ask<Followed>('follow', { place, text });
      await this.session.arriveAnew(followed.place, followed.branch);
      if (followed.stopped !== null) {
        const { step, label, why } = followed.stopped;
        this.session.tell(`Step ${step} is not possible here: ${label}.`, why, 'bad');
      } else this.store.set({ dialog: null });
    });
  }

  async setRestriction(name: string, on: boolean): Promise<void> {
    await this.session.until(async () => {
      const { hello } = this.store.model;
      if (hello === null) return;
      const changed = hello.opening.restrictions.map((one) => (one.name === name ? { name, on } : one));
      const { restrictions } = await this.ask<{ restrictions: typeof changed }>('switches', { restrictions: changed });
      this.store.set({ hello: { ...hello, opening: { ...hello.opening, restrictions } }, outlook: new Map() });
      this.session.forgetChoices();
      this.lookAhead();
    });
  }

  private async arrive(place: number, branch: number | null): Promise<void> {
    const { model } = this.store;
    const isKnown = model.path !== null && model.path.indexOf(place) !== -1;
    if (isKnown || branch === null) await this.session.go(place);
    else await this.session.arriveAnew(place, branch);
  }

  // Looking back.

  async compareHere(): Promise<void> {
    const { compare, place } = this.store.model;
    if (compare === null || compare.other !== null) {
      this.store.set({ compare: { mark: place, other: null, changes: null } });
      this.session.tell(`Step ${this.store.model.row?.step ?? 0} is marked. Press = on another step to compare.`);
      return;
    }
    await this.session.until(async () => {
      const { changes } = await this.ask<{ changes: Change[] }>('compare', { a: compare.mark, b: place });
      this.store.set({ compare: { mark: compare.mark, other: place, changes }, notice: null });
    });
  }

  endCompare(): void {
    this.store.set({ compare: null });
  }

  /** Goes to the step that made a value so; again, to the step that led to that step. */
  async blame(member: number | null, owner: string, words: string[]): Promise<void> {
    const { model } = this.store;
    const text = pathText(owner, words);
    const next = model.crumbs[model.crumb + 1];
    if (model.crumb >= 0 && next !== undefined && model.crumbs[model.crumb]?.place === model.place) {
      this.store.set({ crumb: model.crumb + 1 });
      await this.session.go(next.place);
      return;
    }
    await this.session.until(async () => {
      const { chain } = await this.ask<Blame>('blame', { place: model.place, member, path: words });
      if (chain.length === 0) {
        this.session.tell(`${text} has been so from the start.`);
        return;
      }
      const start = { place: model.place, reason: `${text} at step ${model.row?.step ?? 0}`, path: text };
      const links = chain.map((link) => ({
        place: link.place,
        reason: link.reason,
        path: pathText(this.name(link.member), link.path),
      }));
      const rest = links[0]?.place === model.place ? links : [start, ...links];
      const at = rest.length > 1 && rest[0]?.place === model.place ? 1 : 0;
      this.store.set({ crumbs: rest, crumb: at });
      const target = rest[at];
      if (target !== undefined) await this.session.go(target.place);
    });
  }

  async unblame(): Promise<void> {
    const { crumbs, crumb } = this.store.model;
    const before = crumbs[crumb - 1];
    if (before === undefined) return;
    this.store.set({ crumb: crumb - 1 });
    await this.session.go(before.place);
  }

  async toCrumb(at: number): Promise<void> {
    const link = this.store.model.crumbs[at];
    if (link === undefined) return;
    this.store.set({ crumb: at });
    await this.session.go(link.place);
  }

  endBlame(): void {
    this.store.set({ crumbs: [], crumb: -1 });
  }

  private name(member: number | null): string {
    return this.store.model.members.find((one) => one.member === member)?.name ?? '';
  }

  async find(fields: Fields): Promise<void> {
    await this.session.until(async () => {
      const { places } = await this.ask<{ places: number[] }>('find', fields);
      this.store.set({ found: places });
    });
  }

  async nextFound(by: 1 | -1): Promise<void> {
    const { found, place } = this.store.model;
    if (found.length === 0) return;
    const at = found.indexOf(place);
    const next = at === -1 ? (by === 1 ? 0 : found.length - 1) : (at + by + found.length) % found.length;
    const target = found[next];
    if (target !== undefined) await this.session.go(target);
  }

  // Telling.

  async pin(path: string): Promise<void> {
    const { pins } = this.store.model;
    const on = !pins.includes(path);
    this.store.set({ pins: on ? [...pins, path] : pins.filter((one) => one !== path) });
    await this.ask('pin', { path, on }).catch((error: unknown) => this.session.fail(error));
  }

  async watch(path: string): Promise<void> {
    const { watches } = this.store.model;
    const on = !watches.includes(path);
    this.store.set({ watches: on ? [...watches, path] : watches.filter((one) => one !== path) });
    await this.session.until(async () => {
      await this.ask('watch', { path, on });
      await this.session.refreshWatches();
    });
  }

  async note(text: string): Promise<void> {
    const { place, notes } = this.store.model;
    const others = notes.filter((one) => one.place !== place);
    this.store.set({ notes: text === '' ? others : [...others, { place, text }], dialog: null });
    await this.ask('note', { place, text }).catch((error: unknown) => this.session.fail(error));
  }

  async nameBranch(name: string): Promise<void> {
    await this.session.until(async () => {
      // The program tells all pages the name, in which blanks become hyphens.
      await this.ask('name_branch', { branch: this.store.model.branch, name });
      this.store.set({ dialog: null });
    });
  }

  async nextBranch(): Promise<void> {
    const { branches, branch } = this.store.model;
    const at = branches.findIndex((one) => one.branch === branch);
    const next = branches[(at + 1) % Math.max(1, branches.length)];
    if (next !== undefined) await this.session.go(next.tip, { branch: next.branch });
  }

  // Files and pictures.

  async save(): Promise<{ file: string | null; text: string } | null> {
    try {
      const { hello } = this.store.model;
      const hasFile = hello?.file !== null && hello?.file !== undefined;
      const fields = hasFile ? {} : { name: sessionName(hello?.system.name ?? 'run') };
      const saved = await this.ask<{ file: string | null; text: string }>('save', fields);
      this.store.set({ saved: true, ...(hello === null ? {} : { hello: { ...hello, file: saved.file } }) });
      if (saved.file !== null) this.session.tell(`Saved as ${saved.file}.`, `foresee debug ${saved.file}`, 'good');
      return saved;
    } catch (error) {
      this.session.fail(error);
      return null;
    }
  }

  async exported(format: string): Promise<{ name: string; text: string } | null> {
    const { branch, place } = this.store.model;
    try {
      return await this.ask<{ name: string; text: string }>('export', { format, branch, place });
    } catch (error) {
      this.session.fail(error);
      return null;
    }
  }

  async source(file: string): Promise<void> {
    const { sources } = this.store.model;
    if (sources.has(file)) {
      if (this.store.model.file !== file) this.store.set({ file });
      return;
    }
    try {
      const { text } = await this.ask<{ text: string }>('source', { file });
      this.store.set({ sources: new Map(this.store.model.sources).set(file, text), file });
    } catch {
      // Not every line has a file that can be shown.
    }
  }

  async neighbourhood(): Promise<void> {
    const { place } = this.store.model;
    try {
      const graph = await this.ask<Graph>('neighbourhood', { place, radius: 2 });
      if (this.store.model.place === place) this.store.set({ graph });
    } catch {
      this.store.set({ graph: null });
    }
  }

  async story(): Promise<void> {
    const { branch } = this.store.model;
    if (this.telling === branch) return;
    this.telling = branch;
    try {
      const story = await this.ask<Story>('story', { branch });
      if (this.store.model.branch === branch) this.store.set({ story });
    } catch {
      // Asked once; without sentences the steps speak for themselves.
      this.store.set({ story: { title: '', sentences: [] } });
    } finally {
      this.telling = null;
    }
  }
}

export function outlookKey(place: number, choice: number): string {
  return `${place}:${choice}`;
}

/** What is known of a choice: from looking ahead, or with the choice itself. */
export function outlookOf(
  outlook: ReadonlyMap<string, Verdict>,
  place: number,
  choice: Choice,
): Verdict {
  const known = outlook.get(outlookKey(place, choice.choice));
  return known ?? { verdict: choice.outlook, shortest: choice.shortest, complete: choice.outlook !== 'unknown' };
}

/** `bank.session` for `bank:race_test/0`, `philosophers.session` for a path. */
function sessionName(system: string): string {
  const base = system.split('/').filter((part) => /[a-z]/i.test(part)).pop() ?? 'run';
  return `${base.replace(/\.\w+$/, '').replace(/[^\w-]+/g, '-')}.session`;
}

function notFound(found: Until, limit: number): string {
  const looked = found.states.toLocaleString('en');
  const seen = found.seen ?? [];
  const only = seen.length === 0 || seen.length > 8 ? '' : ` It is only ever ${seen.map((one) => cut(one, 40)).join(', ')}.`;
  if (found.stopped_by === null) return `Never: none of the ${looked} states that can follow is so.${only}`;
  if (found.stopped_by === 'states') return `not found within ${limit.toLocaleString('en')} states`;
  if (found.stopped_by === 'interrupt' || found.stopped_by === 'cancelled') return STOPPED;
  return `not found within the limit of ${found.stopped_by} (${looked} states)`;
}
