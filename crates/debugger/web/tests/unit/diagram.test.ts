// Lanes, dots and chips as numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chipsOf, refusal } from '../../src/lib/chips.ts';
import { bandsOf, dotOf, lanesOf, leftFor, type Shown, sidesOf, visibleRows, yOf } from '../../src/lib/diagram.ts';
import { compact, hueOf, N_HUES, shortName } from '../../src/lib/names.ts';
import type { Choice, Label, Member, Row } from '../../src/lib/types.ts';

const member = (number: number, name: string, more: Partial<Member> = {}): Member => ({ member: number, name, kind: '', parent: null, born: 0, ...more });
const label = (verb: string, from: string | null, to: string | null, payload = 'M'): Label => ({ verb, from, to, payload, short: payload, type: payload, text: `${verb} ${from} -> ${to} ${payload}` });
const row = (step: number, of: Label | null, at: number | null, more: Partial<Row> = {}): Row => ({
  place: step, after: step === 0 ? null : step - 1, step, label: of, member: at, sent_at: null, again: false, hash: '', source: null, findings: [], branches: [], branch: 0, rail: 0, marks: [], properties: '', caption: '', folded: null, mattered: true, ...more,
});
const choice = (number: number, of: Label, at: number | null, more: Partial<Choice> = {}): Choice => ({ choice: number, label: of, member: at, part: null, is_fault: false, place: null, recorded: false, delivered: false, outlook: 'unknown', shortest: null, ...more });
const shownOf = (rows: Row[]): Shown => ({ total: rows.length, at: (index) => rows[index], indexOf: (place) => rows.findIndex((one) => one.place === place) });

test('lanes that did not matter share one place, sub-nodes their parent', () => {
  const members = [member(0, 'a'), member(1, 'b', { mattered: false }), member(2, 'c', { mattered: false }), member(3, 'a.disk', { parent: 0 })];
  const lanes = lanesOf(members, 640, true, true);
  assert.deepEqual(lanes.lanes.map((one) => one.name), ['a']);
  assert.equal(lanes.others.length, 2);
  assert.equal(lanes.byMember.get(3)?.x, (lanes.byMember.get(0)?.x ?? 0) + 10);
  assert.equal(lanesOf(members, 640, false, true).lanes.length, 3);
});

test('fifty lanes do not shrink to nothing', () => {
  const lanes = lanesOf(Array.from({ length: 50 }, (_, at) => member(at, `n${at}`)), 640, false, true);
  assert.ok(lanes.gap >= 50 && lanes.width > 640);
  const left = leftFor(lanes, lanes.lanes[20]!.x, 640);
  assert.ok(lanes.lanes.some((lane) => lane.x - lanes.gap / 2 === left), 'a whole lane is the first in sight');
  assert.ok(lanes.lanes[20]!.x > left && lanes.lanes[20]!.x < left + 640);
  assert.equal(leftFor(lanes, lanes.lanes[0]!.x, 640), 0);
});

test('an arrow goes from its send to its delivery; the label stands away from it', () => {
  const rows = [row(0, null, null), row(1, label('deliver', 'a', 'b'), 1, { sent_at: 0 }), row(2, label('deliver', 'b', 'a'), 0, { sent_at: 1 })];
  const lanes = lanesOf([member(0, 'a'), member(1, 'b')], 640, false, true);
  const frame = { now: 2, band: 50 };
  const there = dotOf(rows[1] as Row, 1, lanes, shownOf(rows), frame);
  const back = dotOf(rows[2] as Row, 2, lanes, shownOf(rows), frame);
  assert.ok(there?.arrow != null && there.arrow.x1 < there.arrow.x2 && there.side === 1);
  assert.ok(back?.arrow != null && back.arrow.x1 > back.arrow.x2 && back.side === -1);
  assert.equal(back.arrow.y1, yOf(1, frame));
});

test('a dropped message ends half-way', () => {
  const rows = [row(0, null, null), row(1, label('drop', 'a', 'b'), 1, { sent_at: 0 })];
  const lanes = lanesOf([member(0, 'a'), member(1, 'b')], 640, false, true);
  const dot = dotOf(rows[1] as Row, 1, lanes, shownOf(rows), { now: 1, band: 0 });
  assert.equal(dot?.arrow?.x2, ((lanes.lanes[0]?.x ?? 0) + (lanes.lanes[1]?.x ?? 0)) / 2);
});

test('what is below NOW makes room for the chips, and the visible rows are found again', () => {
  const frame = { now: 3, band: 100 };
  assert.equal(yOf(4, frame) - yOf(3, frame), 127);
  for (let top = 0; top < 900; top += 31) {
    const { from, to } = visibleRows(40, frame, top, 200);
    for (let index = 0; index < 40; index += 1) {
      const y = yOf(index, frame);
      if (y >= top && y <= top + 200) assert.ok(index >= from && index < to, `${index} at ${top}`);
    }
    assert.ok(to - from < 20);
  }
});

test('a crash lasts until the restart, a cut until the network heals', () => {
  const rows = [row(0, null, null), row(1, label('crash', null, 'a'), 0), row(2, label('partition', null, null, '{a} {b c}'), null), row(3, label('restart', null, 'a'), 0), row(4, label('heal', null, null), null), row(5, label('crash', null, 'b'), 1)];
  const bands = bandsOf(rows, (place) => place);
  assert.deepEqual(bands.map((one) => [one.kind, one.from, one.to]), [['crash', 1, 3], ['partition', 2, 4], ['crash', 5, Infinity]]);
  assert.deepEqual(sidesOf('{a} {b c}'), [['a'], ['b', 'c']]);
});

test('chips stand on their lanes with what else can be done to them', () => {
  const lanes = chipsOf({
    choices: [choice(0, label('deliver', 'a', 'b'), 1), choice(1, label('drop', 'a', 'b'), 1), choice(2, label('duplicate', 'a', 'b'), 1), choice(3, label('crash', null, 'b'), 1), choice(4, label('deliver', 'c', 'b', 'Old'), 1, { delivered: true }), choice(5, label('partition', null, null, '{a} {b}'), null)],
    not_possible: [{ label: label('timer', null, 'b', 'Retry'), member: 1, why: 'an earlier Retry must fire first' }, { label: label('drop', null, null, ''), member: null, why: 'no drops left' }],
    faults: [],
  });
  const lane = lanes.get(1);
  assert.deepEqual(lane?.chips.map((one) => [one.verb, one.why_not]), [['deliver', null], ['timer', 'an earlier Retry must fire first']]);
  assert.deepEqual([lane?.chips[0]?.drop?.choice, lane?.chips[0]?.duplicate?.choice], [1, 2]);
  assert.deepEqual([lane?.delivered.length, lane?.faults.length, lanes.get(null)?.faults.length], [1, 1, 1]);
});

test('many chips of a lane are grouped by type', () => {
  const lanes = chipsOf({ choices: Array.from({ length: 200 }, (_, at) => choice(at, label('deliver', 'a', 'b', at % 2 === 0 ? 'X' : 'Y'), 1)), not_possible: [], faults: [] });
  assert.deepEqual(lanes.get(1)?.groups.map((one) => one.chips.length), [100, 100]);
  assert.equal(lanes.get(1)?.chips.length, 0);
});

test('a refused fault says why', () => {
  assert.equal(refusal({ choices: [], not_possible: [{ label: label('drop', null, null), member: null, why: 'no drops left' }], faults: [] }, 'drop'), 'no drops left');
  assert.match(refusal(null, 'crash'), /no crashes/);
});

test('names are made short, hues are stable and in range', () => {
  assert.deepEqual(['server1', 'client12', '<P.1/bank>', '<P.2>', 'coordinator', 'Philosopher(p1)'].map(shortName), ['s1', 'c12', 'bank', 'P.2', 'coordinator', 'Phil(p1)']);
  assert.equal(compact('Accept 1@server1 A of client1', ['server1', 'client1']), 'Accept 1@s1 A of c1');
  for (const type of ['Prepare', 'Promise', 'Accept', 'Accepted', 'Decided', '']) assert.ok(hueOf(type) >= 0 && hueOf(type) < N_HUES);
  assert.equal(hueOf('Prepare'), hueOf('Prepare'));
});

test('two copies of a message are one choice and two chips', () => {
  const pending = { from: 'a', part: 'k', choice: 0, why_not: null, sent_at: null, delivered: false };
  const state = { place: 0, hash: '', members: [{ member: 1, name: 'b', status: '', state: 'k', inbox: [pending, pending], timers: [], line: null, waits_for: null }], shared: [], properties: [], stuck: null, is_final: false };
  const lane = chipsOf({ choices: [choice(0, label('deliver', 'a', 'b'), 1)], not_possible: [], faults: [] }, state).get(1);
  assert.deepEqual(lane?.chips.map((one) => one.key), ['c0', 'c0.1']);
});
