// The space–time diagram as numbers: where lanes, dots, arrows and bands are. Time runs down, one row a step. Below NOW there is room
// for the chips; the recorded future continues under it.
// Not here: drawing (`Diagram.svelte`), chips (`chips.ts`).

import { isReply } from './names.ts';
import type { Mark, Member, Row } from './types.ts';

export const ROW = 27;
export const TOP = 26;
export const LEFT = 84;
export const RIGHT = 126;
export const GAP_MIN = 92;
export const GAP_MIN_MANY = 58;
export const LANES_MANY = 12;

export type Lane = { member: number; name: string; kind: string; parent: number | null; born: number; x: number; inset: number };
export type Lanes = { lanes: Lane[]; byMember: Map<number, Lane>; byName: Map<string, Lane>; gap: number; width: number; others: Member[] };

/** Where the lanes stand. Members that did not matter share one lane at the right when `folds` is on. */
export function lanesOf(members: readonly Member[], viewport: number, folds: boolean, isNodes: boolean): Lanes {
  const numbers = new Set(members.map((one) => one.member));
  const isSub = (one: Member): boolean => isNodes && one.parent !== null && numbers.has(one.parent);
  const own = members.filter((one) => !isSub(one));
  const shown = folds ? own.filter((one) => one.mattered !== false) : own;
  const visible = shown.length > 0 ? shown : own;
  const others = own.filter((one) => !visible.includes(one));
  const count = visible.length + (others.length > 0 ? 1 : 0);
  const least = count > LANES_MANY ? GAP_MIN_MANY : GAP_MIN;
  const room = viewport - LEFT - RIGHT;
  const gap = Math.min(240, Math.max(least, count > 1 ? room / (count - 1) : 0));
  const width = Math.max(viewport, LEFT + RIGHT + (count - 1) * gap);
  const start = LEFT + Math.max(0, (room - (count - 1) * gap) / 2);
  const lanes = visible.map((one, at) => laneOf(one, start + at * gap, 0));
  const byMember = new Map(lanes.map((lane) => [lane.member, lane]));
  for (const one of members.filter(isSub)) {
    const parent = one.parent === null ? undefined : byMember.get(one.parent);
    if (parent !== undefined) byMember.set(one.member, { ...laneOf(one, parent.x + 10, 10), name: parent.name });
  }
  const far = start + visible.length * gap;
  for (const one of others) byMember.set(one.member, laneOf(one, far, 0));
  const byName = new Map<string, Lane>();
  for (const one of members) {
    const lane = byMember.get(one.member);
    if (lane !== undefined) byName.set(one.name, lane);
  }
  return { lanes, byMember, byName, gap, width, others };
}

/** How far to scroll so that a lane stands in the middle and the first one in sight is whole. */
export function leftFor(lanes: Lanes, x: number, viewport: number): number {
  const wanted = Math.max(0, x - viewport / 2);
  const first = lanes.lanes.find((lane) => lane.x - lanes.gap / 2 >= wanted);
  return wanted === 0 || first === undefined ? wanted : first.x - lanes.gap / 2;
}

function laneOf(one: Member, x: number, inset: number): Lane {
  return { member: one.member, name: one.name, kind: one.kind, parent: one.parent, born: one.born, x, inset };
}

/** The rows that are drawn, by index, and where each place is among them. */
export type Shown = { total: number; at: (index: number) => Row | undefined; indexOf: (place: number) => number };

export type Frame = { now: number; band: number };

export function yOf(index: number, frame: Frame): number {
  return TOP + index * ROW + (index > frame.now ? frame.band : 0);
}

export function heightOf(total: number, frame: Frame): number {
  return TOP + Math.max(1, total) * ROW + frame.band + 30;
}

/** The rows that a part of the drawing shows. */
export function visibleRows(total: number, frame: Frame, top: number, viewport: number): { from: number; to: number } {
  const from = (y: number): number => {
    const plain = Math.floor((y - TOP) / ROW);
    return plain <= frame.now ? plain : Math.max(frame.now, Math.floor((y - TOP - frame.band) / ROW));
  };
  return { from: Math.max(0, from(top) - 3), to: Math.min(total, from(top + viewport) + 4) };
}

export type Dot = {
  place: number;
  step: number;
  x: number;
  y: number;
  verb: string;
  type: string;
  mark: Mark | null;
  text: string;
  title: string;
  /** The label stands to the left (-1) or to the right (1). */
  side: -1 | 1;
  room: number;
  is_now: boolean;
  is_future: boolean;
  again: boolean;
  hollow: boolean;
  arrow: { x1: number; y1: number; x2: number; y2: number; loop: boolean } | null;
  /** What several do together: a bar to the furthest of them. */
  bar: number | null;
};

/** The lane of who sent what a row is about. */
function senderLane(row: Row, lanes: Lanes, shown: Shown): Lane | undefined {
  const from = row.label?.from ?? null;
  if (from !== null) return lanes.byName.get(from);
  if (row.sent_at === null || row.label?.verb === 'timer') return undefined;
  const sender = shown.at(shown.indexOf(row.sent_at));
  return sender?.member === null || sender === undefined ? undefined : lanes.byMember.get(sender.member);
}

export function dotOf(row: Row, index: number, lanes: Lanes, shown: Shown, frame: Frame): Dot | null {
  const label = row.label;
  if (label === null) return null;
  const together = (label.to ?? '').split('+').map((name) => lanes.byName.get(name));
  const to = (row.member === null ? undefined : lanes.byMember.get(row.member)) ?? together[0];
  const y = yOf(index, frame);
  const x = to?.x ?? LEFT / 2;
  const sender = senderLane(row, lanes, shown);
  const arrow = sender === undefined || row.sent_at === null ? null : arrowOf(row, sender, x, y, shown, frame);
  const comesFromLeft = arrow !== null && !arrow.loop && arrow.x1 < x;
  const isLast = to !== undefined && lanes.lanes[lanes.lanes.length - 1]?.member === to.member && lanes.others.length === 0;
  const isFirst = to !== undefined && lanes.lanes[0]?.member === to.member;
  const side: -1 | 1 = arrow === null || arrow.loop || comesFromLeft ? 1 : -1;
  const edge = side === 1 && isLast ? RIGHT - 16 : side === -1 && isFirst ? Math.max(LEFT, x) - 14 : lanes.gap * 1.3 - 10;
  const far = together.length > 1 ? together[together.length - 1] : undefined;
  return {
    place: row.place,
    step: row.step,
    x,
    y,
    verb: label.verb,
    type: label.type,
    mark: row.marks[0] ?? null,
    text: label.short + (row.again ? ' again' : ''),
    title: `Step ${row.step}. ${label.text}`,
    side,
    room: edge,
    is_now: index === frame.now,
    is_future: index > frame.now,
    again: row.again,
    hollow: isReply(label.type),
    arrow,
    bar: far?.x ?? null,
  };
}

function arrowOf(row: Row, sender: Lane, x: number, y: number, shown: Shown, frame: Frame): Dot['arrow'] {
  const from = row.sent_at === null ? -1 : shown.indexOf(row.sent_at);
  const y1 = from === -1 ? Math.max(0, y - 12 * ROW) : yOf(from, frame) + (from === 0 ? -10 : 0);
  const loop = Math.abs(sender.x - x) < 1;
  if (row.label?.verb === 'drop') return { x1: sender.x, y1, x2: (sender.x + x) / 2, y2: (y1 + y) / 2, loop: false };
  // The arrow ends before the dot, so that its head is seen whole.
  const length = Math.hypot(x - sender.x, y - y1) || 1;
  const short = loop ? 0 : 7 / length;
  return { x1: sender.x, y1, x2: x - (x - sender.x) * short, y2: y - (y - y1) * short, loop };
}

/** A stretch of a lane or of the whole drawing in which something lasts: a crash, a partition. */
export type Band = { kind: 'crash' | 'partition'; member: number | null; from: number; to: number; text: string };

/** Crashes until restarts, partitions until they heal, among the rows that are known. */
export function bandsOf(rows: readonly (Row | undefined)[], indexOf: (place: number) => number): Band[] {
  const bands: Band[] = [];
  const crashed = new Map<number, Band>();
  let split: Band | null = null;
  for (const row of rows) {
    if (row === undefined || row.label === null) continue;
    const at = indexOf(row.place);
    const { verb } = row.label;
    if (verb === 'crash' && row.member !== null) {
      const band: Band = { kind: 'crash', member: row.member, from: at, to: Infinity, text: row.label.text };
      crashed.set(row.member, band);
      bands.push(band);
    } else if (verb === 'restart' && row.member !== null) {
      const band = crashed.get(row.member);
      if (band !== undefined) band.to = at;
      crashed.delete(row.member);
    } else if (verb === 'partition') {
      if (split !== null) split.to = at;
      split = { kind: 'partition', member: null, from: at, to: Infinity, text: row.label.payload };
      bands.push(split);
    } else if (verb === 'heal' && split !== null) {
      split.to = at;
      split = null;
    }
  }
  return bands;
}

/** The sides of `{server1} {server2 server3}`. */
export function sidesOf(text: string): string[][] {
  return [...text.matchAll(/\{([^}]*)\}/g)].map((side) => (side[1] ?? '').split(/[\s,]+/).filter((name) => name !== ''));
}
