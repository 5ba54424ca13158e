// Rows of a run fetched page by page: a long list is known in parts. A change of the run makes all pages stale; what was there stays
// visible until it is fetched again.

import { pagesOf } from './windowing.ts';
import type { Row, Rows } from './types.ts';

export const PAGE = 100;

export type Fetch = (from: number, to: number) => Promise<Rows>;

export class RowList {
  total = 0;
  rows: (Row | undefined)[] = [];
  /** Rows outside of what was asked for whose arrows cross it. */
  readonly crossing = new Map<number, Row>();
  private generation = 0;
  private index = new Map<number, number>();
  private fetched = new Map<number, Promise<void>>();

  constructor(
    private readonly fetch: Fetch,
    private readonly changed: () => void,
  ) {}

  /** Whether every row is known. */
  get is_whole(): boolean {
    for (let at = 0; at < this.total; at += 1) if (this.rows[at] === undefined) return false;
    return this.total > 0;
  }

  /** Fetches the pages of a range that are not known. */
  async need(from: number, to: number): Promise<void> {
    const end = this.total === 0 ? Math.max(to, 1) : Math.min(to, this.total);
    await Promise.all(pagesOf(from, end, PAGE).map((page) => this.page(page)));
  }

  /** Everything is fetched again when it is needed again. */
  stale(): void {
    this.generation += 1;
    this.fetched = new Map();
  }

  byPlace(place: number): Row | undefined {
    const at = this.index.get(place);
    return (at === undefined ? undefined : this.rows[at]) ?? this.crossing.get(place);
  }

  indexOf(place: number): number {
    return this.index.get(place) ?? -1;
  }

  private page(page: number): Promise<void> {
    const known = this.fetched.get(page);
    if (known !== undefined) return known;
    const generation = this.generation;
    const work = this.fetch(page * PAGE, (page + 1) * PAGE).then((answer) => {
      if (generation !== this.generation) return;
      this.take(page, answer);
      this.changed();
    });
    this.fetched.set(page, work);
    work.catch(() => this.fetched.delete(page));
    return work;
  }

  private take(page: number, answer: Rows): void {
    const rows = this.rows.slice();
    rows.length = answer.total;
    answer.rows.forEach((row, at) => {
      rows[page * PAGE + at] = row;
    });
    this.rows = rows;
    this.total = answer.total;
    this.index = new Map();
    rows.forEach((row, at) => {
      if (row !== undefined) this.index.set(row.place, at);
    });
    for (const row of answer.crossing ?? []) this.crossing.set(row.place, row);
  }
}
