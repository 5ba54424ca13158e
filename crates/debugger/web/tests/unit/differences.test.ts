// Changes are marked where they are, inside nested values.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differences, rowsOf } from '../../src/lib/differences.ts';
import { oneLine, partAt, summary, timerLine } from '../../src/lib/tree.ts';
import type { Change, Tree } from '../../src/lib/types.ts';

const leaf = (text: string): Tree => ({ leaf: text });
const record = (name: string, fields: Record<string, Tree>): Tree => ({ record: { name, fields: Object.entries(fields) } });
const list = (...items: Tree[]): Tree => ({ list: { name: '', items } });
const map = (...entries: [Tree, Tree][]): Tree => ({ map: entries });
const server = (round: string): Tree => record('Server', { ballot: record('Ballot', { round: leaf(round), leader: leaf('server1') }), log: list(leaf('a')), is_up: leaf('true') });
const change = (path: string[], before: Tree | null, after: Tree | null): Change => ({ member: 0, path, before, after });

test('one line is what Debug prints', () => {
  assert.equal(oneLine(server('1')), 'Server { ballot: Ballot { round: 1, leader: server1 }, log: [a], is_up: true }');
  assert.equal(oneLine({ list: { name: 'Some', items: [leaf('5')] } }), 'Some(5)');
  assert.equal(oneLine(map([leaf('a'), leaf('1')])), '{a: 1}');
  assert.equal(summary(map([leaf('a'), leaf('1')])), '1 entry');
  assert.deepEqual(partAt(server('1'), ['ballot', 'round']), leaf('1'));
  assert.equal(partAt(server('1'), ['ballot', 'no']), null);
});

test('a timer says what it is and when it fires', () => {
  assert.equal(timerLine(record('', { timer: leaf('Retry'), after: leaf('0ns..1s') })), 'Retry after 0..1s');
  assert.equal(timerLine(record('', { timer: record('Retry', { n: leaf('1') }), after: leaf('10ms') })), 'Retry { n: 1 } after 10ms');
  assert.equal(timerLine(leaf('Retry')), 'Retry');
});

test('a nested change opens its parents and is marked with the old value', () => {
  const rows = rowsOf('server3', server('1'), [change(['ballot', 'round'], leaf('2'), leaf('1'))], new Map());
  const row = rows.find((one) => one.path === 'server3.ballot.round');
  assert.deepEqual([row?.change, row?.old, row?.value, row?.level], ['changed', '2', '1', 2]);
  const parent = rows.find((one) => one.path === 'server3.ballot');
  assert.deepEqual([parent?.is_open, parent?.holds_change, parent?.change], [true, true, null]);
});

test('new and removed entries are rows of their own', () => {
  const after = record('Server', { log: list(leaf('a'), leaf('b')) });
  const rows = rowsOf('s', after, [change(['log', '1'], null, leaf('b')), change(['log', '7'], leaf('z'), null), change(['gone'], leaf('x'), null)], new Map());
  const kinds = new Map(rows.map((row) => [row.path, row.change]));
  assert.equal(kinds.get('s.log.1'), 'new');
  assert.equal(kinds.get('s.log.7'), 'removed');
  assert.equal(kinds.get('s.gone'), 'removed');
  assert.equal(rows.find((row) => row.path === 's.gone')?.value, 'x');
});

test('the reader decides what is folded', () => {
  const marked = [change(['ballot', 'round'], leaf('2'), leaf('1'))];
  const rows = rowsOf('s', server('1'), marked, new Map([['s.ballot', false]]));
  assert.ok(!rows.some((row) => row.path === 's.ballot.round'));
  assert.ok(rows.find((row) => row.path === 's.ballot')?.holds_change);
});

test('changed only hides the rest', () => {
  const rows = rowsOf('s', server('1'), [change(['ballot', 'round'], leaf('2'), leaf('1'))], new Map(), true);
  assert.deepEqual(rows.map((row) => row.path), ['s.ballot', 's.ballot.round']);
});

test('sizes and positions are those of the siblings', () => {
  const rows = rowsOf('s', server('1'), [], new Map());
  const top = rows.filter((row) => row.level === 1);
  assert.deepEqual(top.map((row) => [row.index, row.size]), [[1, 3], [2, 3], [3, 3]]);
});

test('differences of two values', () => {
  assert.deepEqual(differences(server('1'), server('1')), []);
  assert.deepEqual(differences(server('1'), server('2')).map((one) => one.path), [['ballot', 'round']]);
  const [added] = differences(list(leaf('a')), list(leaf('a'), leaf('b')));
  assert.deepEqual([added?.path, added?.before], [['1'], null]);
  const [removed] = differences(map([leaf('k'), leaf('1')]), map());
  assert.deepEqual([removed?.path, removed?.after], [['k'], null]);
  const [whole] = differences(leaf('None'), { list: { name: 'Some', items: [leaf('1')] } });
  assert.deepEqual(whole?.path, []);
});
