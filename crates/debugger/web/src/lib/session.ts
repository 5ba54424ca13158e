// What the page does: travels, delivers, branches, asks. Every command of the keyboard and every button ends here.
// The order of events: a request is sent, the answer is put into the store, the components draw what changed.
// Not here: the wire (`client.ts`), looking ahead, searching and exporting (`asking.ts`).

import { type Client, PROTOCOL, Refusal, WRONG_PROTOCOL, WRONG_TOKEN } from './client.ts';
import { RowList } from './rows.ts';
import { Parts, Store, type Notice } from './store.ts';
import type {
  Branch,
  Choice,
  Choices,
  Followed,
  Hello,
  Member,
  News,
  Row,
  Rows,
  State,
  StateAnswer,
  Strip,
} from './types.ts';

/** Runs up to this length are known whole; longer ones page by page. */
const WHOLE_MAX = 600;
const LANES_MANY = 12;
const STEPS_MANY = 200;
const KEPT_STATES = 400;
/** Of what is pending, so many of each type are asked for; the rest is counted, and asked for when somebody looks at it. */
const MOST_CHOICES = 8;
const MOST_MESSAGES = 12;
const MOST_WHOLE = 1_000;

export type Address = { token: string; session: string | null; at: string | null };

export class Session {
  readonly parts = new Parts();
  private readonly states = new Map<number, StateAnswer>();
  private readonly choices = new Map<number, Choices>();
  private readonly asking = new Map<number, Promise<StateAnswer>>();
  private readonly choosing = new Map<number, Promise<Choices>>();
  private viewTimer: ReturnType<typeof setTimeout> | null = null;
  /** Told after every move, so that looking ahead can begin. */
  onMoved: () => void = () => undefined;
  /** News that are not about the run itself. */
  onOther: (news: News) => void = () => undefined;

  constructor(
    readonly client: Client,
    readonly store: Store,
    private readonly address: Address,
  ) {
    client.onOpen = () => void this.open();
    client.onLost = (code) => this.lost(code);
    client.onNews = (news) => this.news(news);
  }

  start(): void {
    this.store.set({ is_story: this.client.is_story });
    this.client.start();
  }

  // Opening and coming back.

  private async open(): Promise<void> {
    const { model } = this.store;
    const before = model.hello;
    const labels = before === null ? [] : await this.labelsOfPath();
    try {
      const fields = { protocol: PROTOCOL, token: this.address.token, resume: before?.session ?? this.address.session ?? undefined };
      const hello = await this.client.ask<Hello>('hello', fields);
      if (hello.protocol[0] !== PROTOCOL[0]) {
        this.store.set({ connection: 'mismatch', mismatch: mismatchWords(hello.protocol[0]) });
        this.client.stop();
        return;
      }
      await this.greet(hello, before !== null, labels);
    } catch (error) {
      if (error instanceof Refusal && error.code !== 'lost') this.refused(error);
    }
  }

  private refused(error: Refusal): void {
    if (/token/.test(error.code)) this.store.set({ connection: 'wrong-token' });
    else if (/protocol/.test(error.code)) {
      this.store.set({ connection: 'mismatch', mismatch: `${error.message} ${error.help} Reload the page.`.trim() });
    } else this.tell(error.message, error.help, 'bad');
  }

  private async greet(hello: Hello, isReturn: boolean, labels: string[]): Promise<void> {
    this.states.clear();
    this.choices.clear();
    const list = new RowList((from, to) => this.client.ask<Rows>('rows', { from, to }), this.rowsChanged);
    this.store.set({
      hello,
      members: hello.members,
      branches: hello.branches,
      notes: hello.notes,
      pins: hello.pins,
      watches: hello.watches,
      list,
      connection: 'open',
      lost_at: '',
      view: startingView(hello),
    });
    let place = hello.view.place;
    if (!isReturn && this.address.at === null) {
      // What is seen first is asked for first.
      void this.state(place).catch(() => undefined);
      void this.choicesAt(place).catch(() => undefined);
    }
    void list.need(0, 1).then(() => (list.total <= WHOLE_MAX ? list.need(0, list.total) : undefined)).catch(() => undefined);
    if (!isReturn && this.address.at !== null) place = (await this.placeAt(this.address.at)) ?? place;
    if (isReturn && labels.length > 0) place = await this.restored(labels, place);
    if (isReturn && labels.length === 0) place = 0;
    if (!isReturn) this.firstView(hello);
    await this.go(place, { keepBack: true });
    if (!isReturn) void this.refreshWatches();
  }

  private firstView(hello: Hello): void {
    const isWrong = hello.opening.reason === 'violation' || hello.opening.reason === 'trace';
    const tip = hello.branches[0]?.tip ?? 0;
    const many = hello.members.length > LANES_MANY || tip > STEPS_MANY;
    this.store.set({ only_mattered: hello.view.only_mattered || (isWrong && many) });
  }

  private async labelsOfPath(): Promise<string[]> {
    const { path, row } = this.store.model;
    if (path === null || row === null) return [];
    const labels: string[] = [];
    for (let at = 1; at <= path.indexOf(row.place); at += 1) {
      const known = path.rows[at];
      if (known === undefined) return labels;
      if (known.label !== null) labels.push(known.label.text);
    }
    return labels;
  }

  /** The place that the same labels lead to in a session that was opened again. */
  private async restored(labels: string[], otherwise: number): Promise<number> {
    try {
      const followed = await this.client.ask<Followed>('follow', { place: 0, text: labels.join('\n') });
      await this.refreshBranches();
      return followed.place;
    } catch {
      return otherwise;
    }
  }

  /** The place of `main:7`. */
  async placeAt(at: string): Promise<number | null> {
    const colon = at.lastIndexOf(':');
    const [name, step] = [at.slice(0, colon), Number(at.slice(colon + 1))];
    const branch = this.store.model.branches.find((one) => one.name === name);
    if (branch === undefined || !Number.isInteger(step)) return null;
    const rows = await this.client.ask<Rows>('rows', { branch: branch.branch, from: step, to: step + 1 });
    return rows.rows.find((row) => row.step === step)?.place ?? null;
  }

  private lost(code: number): void {
    const { connection } = this.store.model;
    if (connection === 'mismatch' || connection === 'wrong-token') return;
    if (code === WRONG_TOKEN) this.store.set({ connection: 'wrong-token' });
    else if (code === WRONG_PROTOCOL) this.store.set({ connection: 'mismatch', mismatch: mismatchWords(null) });
    else if (connection === 'open' || connection === 'opening') {
      this.store.set({ connection: 'lost', lost_at: clockTime(), is_playing: false, looking: false, preview: null });
    }
  }

  private news(news: News): void {
    const { model } = this.store;
    if (news.news === 'branches') void this.branchesChanged(news.branches);
    else if (news.news === 'moved') {
      const followers = new Map(model.followers);
      followers.set(news.who, news.place);
      this.store.set({ followers });
    } else if (news.news === 'left') {
      const followers = new Map(model.followers);
      followers.delete(news.who);
      this.store.set({ followers });
    } else if (news.news === 'bye') {
      this.client.stop();
      this.store.set({ connection: 'ended', lost_at: clockTime(), is_playing: false });
    } else if (news.news === 'reloaded') {
      this.store.set({ reloaded: news.text, checked: '', good: null, stopped: news.stopped[0] ?? null });
      void this.reload();
    } else if (news.news === 'checked') this.store.set({ checked: news.text });
    else this.onOther(news);
  }

  /** After the program's files changed: everything is asked again, the position is kept as far as it goes. */
  private async reload(): Promise<void> {
    const labels = await this.labelsOfPath();
    const hello = await this.client.ask<Hello>('hello', {
      protocol: PROTOCOL,
      token: this.address.token,
      resume: this.store.model.hello?.session,
    });
    await this.greet(hello, true, labels);
  }

  /** Asks for the rows again: their marks have changed. */
  refreshRows(): void {
    const { list, path, mattered, place } = this.store.model;
    for (const rows of [list, path, mattered]) rows?.stale();
    void this.fill(list, Math.max(0, list?.indexOf(place) ?? 0)).catch(() => undefined);
    void this.fill(path, Math.max(0, path?.indexOf(place) ?? 0)).catch(() => undefined);
  }

  private readonly rowsChanged = (): void => {
    const { model } = this.store;
    const row = model.path?.byPlace(model.place) ?? model.list?.byPlace(model.place) ?? model.row;
    this.store.set({ rows_version: model.rows_version + 1, row: row ?? null });
  };

  // Branches.

  private async branchesChanged(branches: readonly Branch[]): Promise<void> {
    const { model } = this.store;
    this.store.set({ branches, saved: false });
    model.list?.stale();
    model.path?.stale();
    model.mattered?.stale();
    await Promise.all([
      this.fill(model.list, model.list?.indexOf(model.place) ?? 0),
      this.fill(model.path, model.row?.step ?? 0),
    ]);
  }

  private async refreshBranches(): Promise<void> {
    const hello = this.store.model.hello;
    if (hello === null || this.client.is_story) return;
    try {
      const { branches } = await this.client.ask<{ branches: Branch[] }>('branches', {});
      this.store.set({ branches });
    } catch {
      // An older program tells of branches by news alone.
    }
  }

  /** Fetches a list around an index; if it is short, the rest follows. */
  private async fill(list: RowList | null, around: number): Promise<void> {
    if (list === null) return;
    await list.need(Math.max(0, around - 50), around + 51);
    if (list.total <= WHOLE_MAX) void list.need(0, list.total).catch(() => undefined);
  }

  /** Shows the way to another branch's end. */
  async setBranch(branch: number, place: number): Promise<void> {
    const path = new RowList(
      (from, to) => this.client.ask<Rows>('rows', { branch, from, to, crossing: true }),
      this.rowsChanged,
    );
    const mattered = new RowList(
      (from, to) => this.client.ask<Rows>('rows', { branch, from, to, mattered: true }),
      this.rowsChanged,
    );
    const tip = this.store.model.branches.find((one) => one.branch === branch)?.tip ?? place;
    const members = this.client.ask<{ members: Member[] }>('members', { place: tip });
    const step = this.store.model.list?.byPlace(place)?.step ?? (this.store.model.row?.step ?? 0) + 1;
    await this.fill(path, step);
    this.store.set({ branch, path, mattered, strip: null, story: null });
    const known = await members;
    this.store.set({ members: known.members.length > 0 ? known.members : this.store.model.members });
    void this.fetchStrip(branch);
    if (path.total > WHOLE_MAX && this.store.model.only_mattered) void this.needMattered();
  }

  /** Every row that mattered, of a run that is too long to be known whole. */
  async needMattered(): Promise<void> {
    const { mattered } = this.store.model;
    if (mattered === null) return;
    await mattered.need(0, 1);
    await mattered.need(0, Math.min(mattered.total, 4 * WHOLE_MAX));
  }

  private async fetchStrip(branch: number): Promise<void> {
    if (this.client.is_story || (this.store.model.path?.total ?? 0) <= WHOLE_MAX) return;
    try {
      const strip = await this.client.ask<Strip>('strip', { branch });
      if (this.store.model.branch === branch) this.store.set({ strip });
    } catch {
      // The strip then shows what is known of the rows.
    }
  }

  // Travelling.

  async go(place: number, options: { keepBack?: boolean; branch?: number } = {}): Promise<void> {
    const { model } = this.store;
    const from = model.place;
    const branch = options.branch ?? (await this.branchOf(place));
    const isShown = model.path?.indexOf(place) !== -1 && model.path !== null && branch === model.branch;
    const row = this.store.model.path?.byPlace(place) ?? this.store.model.list?.byPlace(place);
    if (isShown && row !== undefined) this.arrive(place, row, options.keepBack === true ? model.back : from);
    else {
      await this.setBranch(branch, place);
      const found = this.store.model.path?.byPlace(place) ?? null;
      this.arrive(place, found, options.keepBack === true ? model.back : from);
    }
    await this.look(place);
  }

  /** The branch to show a place on: the present one if it leads there. */
  private async branchOf(place: number): Promise<number> {
    const { model } = this.store;
    if (model.path !== null && model.path.indexOf(place) !== -1) return model.branch;
    const row = model.list?.byPlace(place);
    if (row !== undefined) return row.branch;
    const tip = model.branches.find((one) => one.tip === place);
    if (tip !== undefined) return tip.branch;
    return model.path === null ? 0 : model.branch;
  }

  private arrive(place: number, row: Row | null, back: number | null): void {
    const state = this.states.get(place) ?? null;
    const patch = { place, row, back, preview: null };
    const choices = this.choices.get(place) ?? null;
    // What is not there yet stays as it was for the moment, so that nothing flickers.
    this.store.set({ ...patch, ...(state === null ? {} : { state }), choices });
    const { list } = this.store.model;
    // In a long list the row is about where its step says; branches before it move it down.
    if (list !== null && row !== null && list.total > WHOLE_MAX && list.indexOf(place) === -1) {
      void list.need(row.step - 40, row.step + 40).catch(() => undefined);
    }
  }

  /** Fetches what is seen at a place, then what is seen one step on. */
  private async look(place: number): Promise<void> {
    try {
      const [state, choices] = await Promise.all([this.state(place), this.choicesAt(place)]);
      if (this.store.model.place !== place) return;
      if (this.store.model.state !== state || this.store.model.choices !== choices) {
        this.store.set({ state, choices });
      }
      this.remember(place);
      this.onMoved();
      this.prefetch();
    } catch (error) {
      this.fail(error);
    }
  }

  private prefetch(): void {
    const next = this.neighbour(1);
    const last = this.neighbour(-1);
    for (const row of [next, last]) if (row !== null) void this.state(row.place).catch(() => undefined);
    const { path, row } = this.store.model;
    const at = row === null ? -1 : (path?.indexOf(row.place) ?? -1);
    if (path !== null && at !== -1) void path.need(at - 60, at + 60).catch(() => undefined);
  }

  /** Tells the program where we are, for the session file and for others who follow. */
  private remember(place: number): void {
    if (this.viewTimer !== null) clearTimeout(this.viewTimer);
    this.viewTimer = setTimeout(() => {
      const only_mattered = this.store.model.only_mattered;
      void this.client.ask('view', { place, only_mattered }).catch(() => undefined);
    }, 250);
  }

  async state(place: number): Promise<StateAnswer> {
    const known = this.states.get(place);
    if (known !== undefined) return known;
    const underway = this.asking.get(place);
    if (underway !== undefined) return underway;
    const work = this.client
      .ask<StateAnswer>('state', { place, have: this.have(), most: MOST_MESSAGES })
      .then((answer) => {
        this.learn(place, answer);
        return answer;
      })
      .finally(() => this.asking.delete(place));
    this.asking.set(place, work);
    return work;
  }

  private learn(place: number, answer: StateAnswer): void {
    this.parts.learn(answer.parts);
    if (this.states.size > KEPT_STATES) {
      const oldest = this.states.keys().next().value;
      if (oldest !== undefined) this.states.delete(oldest);
    }
    this.states.set(place, answer);
  }

  /** The keys of the parts that need not be sent again: those of the state that is shown. */
  have(): string[] {
    const { state } = this.store.model;
    return state === null ? [] : [...new Set(keysOf(state))].filter((key) => this.parts.has(key));
  }

  async choicesAt(place: number): Promise<Choices> {
    const known = this.choices.get(place);
    if (known !== undefined) return known;
    const underway = this.choosing.get(place);
    if (underway !== undefined) return underway;
    const work = this.client
      .ask<Choices>('choices', { place, most: MOST_CHOICES })
      .then((choices) => {
        this.choices.set(place, choices);
        return choices;
      })
      .finally(() => this.choosing.delete(place));
    this.choosing.set(place, work);
    return work;
  }

  /** Asks for everything that is pending here, not only for the first of each type. */
  async needWhole(): Promise<void> {
    const { place, choices } = this.store.model;
    const listed = new Map<string, number>();
    for (const one of choices?.choices ?? []) {
      const key = `${one.member}:${one.label.type}`;
      listed.set(key, (listed.get(key) ?? 0) + 1);
    }
    const isWhole = choices?.counts?.every((one) => (listed.get(`${one.member}:${one.type}`) ?? 0) >= one.count) ?? true;
    if (isWhole || this.client.is_story) return;
    try {
      const whole = await this.client.ask<Choices>('choices', { place, most: MOST_WHOLE });
      this.choices.set(place, whole);
      if (this.store.model.place === place) this.store.set({ choices: whole });
    } catch (error) {
      this.fail(error);
    }
  }

  /** What is known of a place without asking. */
  known(place: number): { state: StateAnswer | undefined; choices: Choices | undefined } {
    return { state: this.states.get(place), choices: this.choices.get(place) };
  }

  forgetChoices(): void {
    this.choices.clear();
  }

  /** The row so many steps further on this branch; of those that are shown. */
  neighbour(by: 1 | -1): Row | null {
    const { path, row, only_mattered } = this.store.model;
    if (path === null || row === null) return null;
    const here = path.indexOf(row.place);
    for (let at = here + by; here !== -1 && at >= 0 && at < path.total; at += by) {
      const next = path.rows[at];
      if (next === undefined) return null;
      if (!only_mattered || next.mattered || at === 0 || at === path.total - 1) return next;
    }
    return null;
  }

  async move(by: 1 | -1): Promise<boolean> {
    let next = this.neighbour(by);
    const { path, place } = this.store.model;
    const at = (path?.indexOf(place) ?? -1) + by;
    if (next === null && path !== null && at >= 0 && at < path.total && path.rows[at] === undefined) {
      await path.need(at, at + 1);
      next = this.neighbour(by) ?? path.rows[at] ?? null;
    }
    if (next === null) return false;
    await this.go(next.place, { keepBack: true });
    return true;
  }

  async goToStep(step: number): Promise<void> {
    const { path } = this.store.model;
    if (path === null || path.total === 0) return;
    // A branch that allows more faults begins with a row that is no step, so an index may be one more than its step.
    const at = Math.max(0, Math.min(step, path.total - 1));
    await path.need(at, Math.min(path.total, at + 2));
    const exact = [path.rows[at], path.rows[at + 1]].find((row) => row?.step === step);
    const row = exact ?? path.rows[at];
    if (row !== undefined) await this.go(row.place);
  }

  // Acting.

  get can_act(): boolean {
    return this.store.model.connection === 'open';
  }

  async take(choice: Choice): Promise<void> {
    if (!this.can_act) return;
    const { place, path } = this.store.model;
    try {
      const fields = { place, choice: choice.choice, label: choice.label.text };
      const taken = await this.client.ask<{ place: number; new: boolean; branch: number }>('step', fields);
      if (!taken.new && path !== null && path.indexOf(taken.place) !== -1) {
        await this.go(taken.place);
        return;
      }
      await this.arriveAnew(taken.place, taken.branch);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Goes to a place that the lists may not know yet. */
  async arriveAnew(place: number, branch: number): Promise<void> {
    const { model } = this.store;
    this.choices.delete(model.place);
    model.list?.stale();
    await this.setBranch(branch, place);
    await Promise.all([this.fill(model.list, Math.max(0, model.list?.indexOf(model.place) ?? 0)), this.refreshBranches()]);
    await this.go(place, { branch });
  }

  async until(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.fail(error);
    }
  }

  async refreshWatches(): Promise<void> {
    const { watches, branch, path } = this.store.model;
    if (path === null || watches.length === 0) return;
    const watched = new Map<string, readonly (string | null)[]>();
    for (const path_text of watches) {
      const fields = { path: path_text, branch, from: 0, to: path.total };
      try {
        const { values } = await this.client.ask<{ values: (string | null)[] }>('watch_values', fields);
        watched.set(path_text, values);
      } catch {
        watched.set(path_text, []);
      }
    }
    this.store.set({ watched });
  }

  tell(text: string, help = '', kind: Notice['kind'] = 'plain'): void {
    this.store.set({ notice: { text, help, kind } });
  }

  fail(error: unknown): void {
    if (error instanceof Refusal) {
      if (error.code !== 'lost' && error.code !== 'cancelled') this.tell(error.message, error.help, 'bad');
    } else this.tell(String(error), '', 'bad');
  }
}

/** The keys of all parts of a state. */
export function keysOf(state: State): string[] {
  const keys = state.shared.map(([, key]) => key);
  for (const member of state.members) {
    keys.push(member.state);
    for (const item of [...member.inbox, ...member.timers]) keys.push(item.part);
  }
  return keys;
}

function startingView(hello: Hello): 'diagram' | 'actions' {
  const kind = hello.system.front_end;
  return kind === 'algebra' || kind === 'lts' || kind === 'model' ? 'actions' : 'diagram';
}

function mismatchWords(theirs: number | null): string {
  const program = theirs === null ? 'another one' : String(theirs);
  return `This page speaks protocol ${PROTOCOL[0]}, the program ${program}. Reload.`;
}

function clockTime(): string {
  return new Date().toTimeString().slice(0, 8);
}
