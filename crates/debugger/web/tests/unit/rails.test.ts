// Rails: one line for each branch, beside the rows it passes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { itemsOf } from '../../src/lib/listing.ts';
import { railsOf } from '../../src/lib/rails.ts';
import type { Row } from '../../src/lib/types.ts';

const row = (place: number, after: number | null, rail = 0, more: Partial<Row> = {}): Row => ({
  place, after, step: place, label: after === null ? null : { verb: 'deliver', from: 'a', to: 'b', payload: 'm', short: 'm', type: 'm', text: 'deliver a -> b m' },
  member: 0, sent_at: null, again: false, hash: '', source: null, findings: [], branches: [], branch: rail, rail, marks: [], properties: '', caption: '', folded: null, mattered: true, ...more,
});

test('a single run is one rail', () => {
  const rails = railsOf([row(0, null), row(1, 0), row(2, 1)]);
  assert.deepEqual(rails.map((one) => [one.above, one.below]), [[false, true], [true, true], [true, false]]);
});

test('a branch forks, and its parent passes beside it', () => {
  const rails = railsOf([row(0, null), row(1, 0), row(9, 1, 1), row(10, 9, 1), row(2, 1)]);
  assert.deepEqual(rails[1]?.forks, [1]);
  assert.ok(rails[1]?.below);
  assert.deepEqual(rails[2]?.through, [0]);
  assert.deepEqual(rails[3]?.through, [0]);
  assert.deepEqual([rails[2]?.own, rails[3]?.own, rails[4]?.own], [1, 1, 0]);
  assert.ok(rails[4]?.above);
});

const OPTIONS = { only_mattered: false, folds_quiet: false, place: 0, open_gaps: new Set<number>(), filter: '' };

test('rows that did not matter become one fold that says how many', () => {
  const rows = [row(0, null), ...[1, 2, 3, 4].map((at) => row(at, at - 1, 0, { mattered: false })), row(5, 4)];
  const items = itemsOf(rows, { ...OPTIONS, only_mattered: true });
  assert.deepEqual(items.map((one) => (one.kind === 'gap' ? one.places.length : one.kind)), ['row', 4, 'row']);
  assert.equal(itemsOf(rows, OPTIONS).length, 6);
  assert.equal(itemsOf(rows, { ...OPTIONS, only_mattered: true, open_gaps: new Set([1, 2, 3, 4]) }).length, 6);
});

test('the current step and marked steps are never folded', () => {
  const rows = [row(0, null), row(1, 0, 0, { mattered: false }), row(2, 1, 0, { mattered: false }), row(3, 2, 0, { mattered: false, marks: ['fault'] })];
  const items = itemsOf(rows, { ...OPTIONS, only_mattered: true, place: 2 });
  assert.deepEqual(items.filter((one) => one.kind === 'row').map((one) => (one.kind === 'row' ? one.row.place : -1)), [0, 2, 3]);
});

test('rows that belong together fold under their name', () => {
  const rows = [row(0, null), ...[1, 2, 3].map((at) => row(at, at - 1, 0, { folded: 'start of 3 processes' })), row(4, 3)];
  const gap = itemsOf(rows, OPTIONS).find((one) => one.kind === 'gap');
  assert.ok(gap?.kind === 'gap' && gap.name === 'start of 3 processes' && gap.places.length === 3);
});

test('a filter shows the rows that match', () => {
  const items = itemsOf([row(0, null), row(1, 0), row(2, 1, 0, { marks: ['violation'] })], { ...OPTIONS, filter: 'VIOLATION' });
  assert.equal(items.length, 1);
});
