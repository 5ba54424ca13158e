// Folds of the run list: what did not matter is one line, and one click shows all of it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf, type ListOptions } from '../../src/lib/listing.ts';
import type { Row } from '../../src/lib/types.ts';

function row(place: number, folded: string | null): Row {
  const label = place === 0 ? null : { text: `step ${place}` };
  return { place, step: place, branch: 0, marks: [], mattered: true, folded, label } as unknown as Row;
}

const rows = [row(0, null), ...[1, 2, 3, 4, 5].map((place) => row(place, 'start of 2 processes')), row(6, null), row(7, null)];
const options: ListOptions = { only_mattered: false, folds_quiet: false, place: 7, open_gaps: new Set(), filter: '' };
const shape = (changed: Partial<ListOptions>): string =>
  itemsOf(rows, { ...options, ...changed }).map((item) => (item.kind === 'row' ? String(item.row.place) : item.kind === 'gap' ? `[${item.places.join(' ')}]` : '?')).join(' ');

test('what belongs together is one line', () => {
  assert.equal(shape({}), '0 [1 2 3 4 5] 6 7');
});

test('a fold that is opened shows all its rows, wherever one goes', () => {
  const open_gaps = new Set([1, 2, 3, 4, 5]);
  assert.equal(shape({ open_gaps }), '0 1 2 3 4 5 6 7');
  assert.equal(shape({ open_gaps, place: 3 }), '0 1 2 3 4 5 6 7');
});

test('the row one is at is never folded', () => {
  assert.equal(shape({ place: 5 }), '0 [1 2 3 4] 5 6 7');
  assert.equal(shape({ place: 2 }), '0 1 2 [3 4 5] 6 7', 'a single row is no fold');
});

test('a filter looks at everything', () => {
  assert.equal(shape({ filter: 'step 4' }), '4');
});
