// Answers from a story file: the page plays a recorded run with no program behind it. Nothing can be changed; a step is possible
// where it was recorded.

import { type Client, type Fields, PROTOCOL, Refusal } from './client.ts';
import { differences } from './differences.ts';
import type { Change, Member, News, Row, Rows, State, StateAnswer, StoryFile, Tree } from './types.ts';

export class StoryClient implements Client {
  onNews: (news: News) => void = () => undefined;
  onOpen: () => void = () => undefined;
  onLost: (code: number) => void = () => undefined;
  readonly is_story = true;
  private readonly rows: Row[];
  private readonly byPlace = new Map<number, Row>();

  constructor(private readonly file: StoryFile) {
    this.rows = file.rows.rows;
    for (const row of this.rows) this.byPlace.set(row.place, row);
  }

  start(): void {
    queueMicrotask(() => this.onOpen());
  }

  stop(): void {}

  ask<T>(what: string, fields: Fields = {}): Promise<T> {
    try {
      return Promise.resolve(this.answer(what, fields) as T);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  private answer(what: string, fields: Fields): unknown {
    switch (what) {
      case 'hello':
        return { ...this.file.hello, protocol: PROTOCOL };
      case 'rows':
        return this.window(fields);
      case 'members':
        return { members: this.members(Number(fields['place'])) };
      case 'state':
        return this.state(Number(fields['place']));
      case 'choices':
        return this.file.choices[String(fields['place'])] ?? { choices: [], not_possible: [], faults: [] };
      case 'preview':
      case 'step':
        return this.step(what, Number(fields['place']), Number(fields['choice']));
      case 'compare':
        return { changes: this.compare(Number(fields['a']), Number(fields['b'])) };
      case 'find':
        return { places: this.find(fields) };
      case 'watch_values':
        return { values: this.values(fields) };
      case 'story':
        return this.file.story ?? { title: '', sentences: [] };
      case 'export':
        return this.exported(String(fields['format']));
      case 'source':
        return this.source(String(fields['file']));
      case 'view':
      case 'cancel':
      case 'pin':
      case 'watch':
        return {};
      default:
        throw new Refusal('story', 'A story file only plays the recorded run.', this.file.hello.opening.replay);
    }
  }

  private path(branch: number): Row[] {
    const tip = this.file.hello.branches.find((one) => one.branch === branch)?.tip ?? 0;
    const path: Row[] = [];
    let at = this.byPlace.get(tip);
    while (at !== undefined) {
      path.push(at);
      at = at.after === null ? undefined : this.byPlace.get(at.after);
    }
    return path.reverse();
  }

  private window(fields: Fields): Rows {
    const branch = fields['branch'];
    const rows = branch === undefined ? this.rows : this.path(Number(branch));
    const mattered = fields['mattered'] === true ? rows.filter((row) => row.mattered) : rows;
    const part = mattered.slice(Number(fields['from']), Number(fields['to']));
    return { total: mattered.length, rows: part, crossing: [] };
  }

  private members(_place: number): Member[] {
    return this.file.hello.members;
  }

  private recorded(place: number): State {
    const state = this.file.states[String(place)];
    if (state === undefined) throw new Refusal('story', 'This state is not in the story file.');
    return state;
  }

  private state(place: number): StateAnswer {
    const changes = this.file.changes[String(place)] ?? [];
    return { ...this.recorded(place), parts: this.file.parts, changes };
  }

  private step(what: string, place: number, choice: number): unknown {
    const choices = this.file.choices[String(place)]?.choices ?? [];
    const next = choices.find((one) => one.choice === choice)?.place ?? null;
    const row = next === null ? undefined : this.byPlace.get(next);
    if (next === null || row === undefined) {
      throw new Refusal('story', 'A story file only plays the recorded run.', this.file.hello.opening.replay);
    }
    return what === 'preview' ? this.state(next) : { place: next, new: false, branch: row.branch };
  }

  private part(key: string): Tree {
    return this.file.parts[key] ?? { leaf: '' };
  }

  private compare(a: number, b: number): Change[] {
    const [one, other] = [this.recorded(a), this.recorded(b)];
    const found: Change[] = [];
    for (const member of other.members) {
      const old = one.members.find((it) => it.member === member.member);
      const after = this.part(member.state);
      const own = old === undefined ? [{ member: null, path: [], before: null, after }] : differences(this.part(old.state), after);
      found.push(...own.map((change) => ({ ...change, member: member.member })));
    }
    for (const [name, key] of other.shared) {
      const old = one.shared.find(([was]) => was === name);
      if (old !== undefined) found.push(...differences(this.part(old[1]), this.part(key), [name]));
    }
    return found;
  }

  private find(fields: Fields): number[] {
    const text = String(fields['text'] ?? '').toLowerCase();
    const type = fields['type'];
    return this.rows
      .filter((row) => row.label !== null)
      .filter((row) => text === '' || `${row.label?.text} ${row.caption}`.toLowerCase().includes(text))
      .filter((row) => type === undefined || row.label?.type === type)
      .map((row) => row.place);
  }

  private values(fields: Fields): (string | null)[] {
    const count = Number(fields['to']) - Number(fields['from']);
    return Array.from({ length: Math.max(0, count) }, () => null);
  }

  private exported(format: string): { name: string; text: string } {
    if (format !== 'svg' || (this.file.picture ?? '') === '') throw new Refusal('story', 'A story file has no such export.');
    return { name: `${this.file.hello.system.name}.svg`, text: this.file.picture ?? '' };
  }

  private source(file: string): { file: string; text: string } {
    const text = this.file.sources[file];
    if (text === undefined) throw new Refusal('story', `The story file does not hold ${file}.`);
    return { file, text };
  }
}

/** The recorded answers in this document, if it is a story file. */
export async function storyIn(document: Document): Promise<StoryFile | null> {
  const text = document.getElementById('story')?.textContent?.trim();
  if (text === undefined) return null;
  // A page that was saved by the browser holds the data as it is.
  if (text.startsWith('{')) return JSON.parse(text) as StoryFile;
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return unfolded(JSON.parse(await new Response(stream).text()) as Packed) as StoryFile;
}

/** Data in which a value that occurs often is listed once: `{"$":7}` stands for the eighth of the list. */
export type Packed = { values: unknown[]; data: unknown };

/** The same with every value in all its places. */
export function unfolded({ values, data }: Packed): unknown {
  const unfold = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(unfold);
    if (value === null || typeof value !== 'object') return value;
    if ('$' in value) return unfold(values[Number(value.$)]);
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, unfold(inside)]));
  };
  return unfold(data);
}
