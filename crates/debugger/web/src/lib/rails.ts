// The rails left of the run list: one vertical line for each branch, a curve where it leaves its parent.

import type { Row } from './types.ts';

export type Rail = {
  /** Lines that pass this row from top to bottom, by rail. */
  through: number[];
  /** This row's own rail, and whether its line goes on above and below. */
  own: number;
  above: boolean;
  below: boolean;
  /** Rails that begin at this row and go down from it. */
  forks: number[];
};

export const RAIL_WIDTH = 10;
/** More rails are drawn on top of each other. */
export const RAILS_MAX = 5;

/** The rails of rows in list order: a branch's rows stand right after the row they fork from. */
export function railsOf(rows: readonly Row[]): Rail[] {
  const index = new Map<number, number>();
  rows.forEach((row, at) => index.set(row.place, at));
  const rails: Rail[] = rows.map((row) => ({
    through: [],
    own: Math.min(row.rail, RAILS_MAX - 1),
    above: false,
    below: false,
    forks: [],
  }));
  rows.forEach((row, at) => {
    if (row.after === null) return;
    const from = index.get(row.after);
    const rail = rails[at];
    if (rail === undefined) return;
    rail.above = true;
    if (from === undefined) return;
    const parent = rails[from];
    if (parent === undefined) return;
    const isFork = parent.own !== rail.own;
    if (isFork) parent.forks.push(rail.own);
    else parent.below = true;
    for (let between = from + 1; between < at; between += 1) rails[between]?.through.push(rail.own);
  });
  return rails;
}

export function railX(rail: number): number {
  return 8 + Math.min(rail, RAILS_MAX - 1) * RAIL_WIDTH;
}
