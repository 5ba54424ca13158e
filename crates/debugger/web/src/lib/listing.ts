// The lines of the run list: rows, and folds in place of rows that did not matter or that belong together.

import type { Row } from './types.ts';

export type Item =
  | { kind: 'row'; row: Row; key: string }
  | { kind: 'missing'; index: number; key: string }
  | { kind: 'gap'; places: number[]; name: string; key: string };

export type ListOptions = {
  only_mattered: boolean;
  /** Quiet stretches are folded even when everything is shown, because the run is long. */
  folds_quiet: boolean;
  place: number;
  /** The places of folds that were opened: each row of one, so that going there and away does not fold the rest again. */
  open_gaps: ReadonlySet<number>;
  filter: string;
};

/** Shorter stretches are not worth a fold. */
const GAP_LEAST = 3;

function hides(row: Row, options: ListOptions): boolean {
  if (row.place === options.place || row.label === null || row.marks.length > 0) return false;
  if (row.branch !== 0) return false;
  if (row.folded !== null) return true;
  return (options.only_mattered || options.folds_quiet) && !row.mattered;
}

export function itemsOf(rows: readonly (Row | undefined)[], options: ListOptions): Item[] {
  if (options.filter !== '') return filtered(rows, options.filter);
  const items: Item[] = [];
  for (let at = 0; at < rows.length; ) {
    const row = rows[at];
    if (row === undefined) {
      items.push({ kind: 'missing', index: at, key: `m${at}` });
      at += 1;
      continue;
    }
    const end = stretch(rows, at, options);
    if (end - at >= GAP_LEAST || (end > at && options.only_mattered)) {
      const name = row.folded ?? '';
      const places = rows.slice(at, end).map((one) => one?.place ?? -1);
      items.push({ kind: 'gap', places, name, key: `g${row.place}` });
      at = end;
    } else {
      items.push({ kind: 'row', row, key: `r${row.place}` });
      at += 1;
    }
  }
  return items;
}

/** The end of the rows from `at` that can be folded together. */
function stretch(rows: readonly (Row | undefined)[], at: number, options: ListOptions): number {
  const first = rows[at];
  if (first === undefined || !hides(first, options) || options.open_gaps.has(first.place)) return at;
  let end = at;
  while (end < rows.length) {
    const row = rows[end];
    if (row === undefined || !hides(row, options) || row.folded !== first.folded || options.open_gaps.has(row.place)) break;
    end += 1;
  }
  return end;
}

function filtered(rows: readonly (Row | undefined)[], filter: string): Item[] {
  const wanted = filter.toLowerCase();
  const items: Item[] = [];
  for (const row of rows) {
    if (row === undefined || row.label === null) continue;
    if (`${row.label.text} ${row.marks.join(' ')}`.toLowerCase().includes(wanted)) {
      items.push({ kind: 'row', row, key: `r${row.place}` });
    }
  }
  return items;
}
