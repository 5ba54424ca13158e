// Only what is visible is drawn, and every row can be reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketed, pagesOf, reveal, windowOf } from '../../src/lib/windowing.ts';

test('a window holds what is visible and a little around it', () => {
  assert.deepEqual(windowOf(1000, 20, 400, 100, 2), { from: 18, to: 27, before: 360, after: 19460 });
});

test('windows at every position cover the visible rows and keep the height', () => {
  for (const total of [0, 1, 7, 100, 5000]) {
    for (let scroll = 0; scroll <= total * 26; scroll += 137) {
      const shown = windowOf(total, 26, scroll, 300, 3);
      assert.equal(shown.before + (shown.to - shown.from) * 26 + shown.after, total * 26);
      const [first, last] = [Math.floor(scroll / 26), Math.min(total, Math.ceil((scroll + 300) / 26)) - 1];
      if (first < total) assert.ok(shown.from <= first && shown.to > last, `${total} ${scroll}`);
      assert.ok(shown.to - shown.from <= 300 / 26 + 8);
    }
  }
});

test('a list that is empty or was shortened has an empty window', () => {
  assert.deepEqual(windowOf(0, 26, 900, 300), { from: 0, to: 0, before: 0, after: 0 });
  const shown = windowOf(3, 26, 9000, 300);
  assert.ok(shown.from <= shown.to && shown.to <= 3);
});

test('revealing moves no further than needed', () => {
  assert.equal(reveal(100, 20, 50, 200), 50);
  assert.equal(reveal(20, 20, 50, 200), 20);
  assert.equal(reveal(300, 20, 50, 200), 120);
  assert.equal(reveal(300, 20, 50, 200, 10), 130);
});

test('pages of a range', () => {
  assert.deepEqual(pagesOf(0, 1, 200), [0]);
  assert.deepEqual(pagesOf(150, 450, 200), [0, 1, 2]);
  assert.deepEqual(pagesOf(-60, 10, 200), [0]);
});

test('a pixel shows the worst of its steps', () => {
  assert.deepEqual(bucketed('hhhvhhh?', 4), ['h', 'v', 'h', '?']);
  assert.deepEqual(bucketed('hv', 4), ['h', 'h', 'v', 'v']);
  assert.equal(bucketed(`${'h'.repeat(4999)}v`, 100).indexOf('v'), 99);
});
