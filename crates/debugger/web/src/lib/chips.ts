// What can happen at NOW, by lane: one chip for each message and timer, with what else can be done to it. Many of one type are one
// group; what was delivered and can come again is in a fold, so that a duplicate never comes out of nowhere.

import { shortName } from './names.ts';
import type { Choice, Choices, NotPossible, State } from './types.ts';

export type Chip = {
  key: string;
  member: number | null;
  text: string;
  label: string;
  type: string;
  verb: string;
  choice: Choice | null;
  why_not: string | null;
  is_cut: boolean;
  recorded: boolean;
  drop: Choice | null;
  duplicate: Choice | null;
};
export type Group = { key: string; name: string; chips: Chip[]; count: number };
export type LaneChips = {
  member: number | null;
  chips: Chip[];
  groups: Group[];
  delivered: Chip[];
  faults: Choice[];
  count: number;
};

export const CHIPS_MAX = 6;
const ABOUT_MESSAGE = new Set(['drop', 'duplicate']);
const OF_LANE = new Set(['crash', 'restart']);

function message(one: { label: { from: string | null; to: string | null; payload: string } }): string {
  return `${one.label.from}>${one.label.to}:${one.label.payload}`;
}

function chipOf(choice: Choice, drops: Map<string, Choice[]>, copies: Map<string, Choice[]>): Chip {
  const { label } = choice;
  return {
    key: `c${choice.choice}`,
    member: choice.member,
    text: label.from === null ? label.short : `${shortName(label.from)}: ${label.short}`,
    label: label.text,
    type: label.type,
    verb: label.verb,
    choice,
    why_not: null,
    is_cut: false,
    recorded: choice.recorded,
    drop: drops.get(message(choice))?.shift() ?? null,
    duplicate: copies.get(message(choice))?.shift() ?? null,
  };
}

function disabledChip(one: NotPossible, at: number): Chip {
  const { label } = one;
  return {
    key: `n${at}`,
    member: one.member,
    text: label.from === null ? label.short : `${shortName(label.from)}: ${label.short}`,
    label: label.text,
    type: label.type,
    verb: label.verb,
    choice: null,
    why_not: one.why,
    is_cut: /\bcut\b|partition/.test(one.why),
    recorded: false,
    drop: null,
    duplicate: null,
  };
}

function byMessage(choices: readonly Choice[], verb: string): Map<string, Choice[]> {
  const found = new Map<string, Choice[]>();
  for (const choice of choices.filter((one) => one.label.verb === verb)) {
    const list = found.get(message(choice)) ?? [];
    list.push(choice);
    found.set(message(choice), list);
  }
  return found;
}

/** How many copies of its message a choice stands for. */
function copiesOf(state: State | null): Map<number, number> {
  const times = new Map<number, number>();
  for (const item of state?.members.flatMap((member) => member.inbox) ?? []) {
    if (item.choice !== null) times.set(item.choice, (times.get(item.choice) ?? 0) + 1);
  }
  return times;
}

/** The chips of every lane, by member; what belongs to no lane is under null. Two copies of a message are one choice and two chips. */
export function chipsOf(choices: Choices, state: State | null = null): Map<number | null, LaneChips> {
  const lanes = new Map<number | null, LaneChips>();
  const lane = (member: number | null): LaneChips => {
    const known = lanes.get(member);
    if (known !== undefined) return known;
    const fresh: LaneChips = { member, chips: [], groups: [], delivered: [], faults: [], count: 0 };
    lanes.set(member, fresh);
    return fresh;
  };
  const drops = byMessage(choices.choices, 'drop');
  const copies = byMessage(choices.choices, 'duplicate');
  const times = copiesOf(state);
  for (const choice of choices.choices) {
    if (ABOUT_MESSAGE.has(choice.label.verb)) continue;
    if (OF_LANE.has(choice.label.verb)) lane(choice.member).faults.push(choice);
    else if (choice.label.verb === 'partition' || choice.label.verb === 'heal') lane(null).faults.push(choice);
    else {
      const chip = chipOf(choice, drops, copies);
      const list = choice.delivered ? lane(choice.member).delivered : lane(choice.member).chips;
      for (let copy = 0; copy < (times.get(choice.choice) ?? 1); copy += 1) {
        list.push(copy === 0 ? chip : { ...chip, key: `${chip.key}.${copy}`, recorded: false });
      }
    }
  }
  choices.not_possible.forEach((one, at) => {
    if (one.member !== null) lane(one.member).chips.push(disabledChip(one, at));
  });
  for (const one of lanes.values()) grouped(one, choices);
  return lanes;
}

/** More than a few chips of a lane are shown by type. */
function grouped(lane: LaneChips, choices: Choices): void {
  lane.count = lane.chips.length + lane.delivered.length;
  if (lane.chips.length <= CHIPS_MAX) return;
  const groups = new Map<string, Group>();
  for (const chip of lane.chips) {
    const group = groups.get(chip.type) ?? { key: `${lane.member}:${chip.type}`, name: chip.type, chips: [], count: 0 };
    group.chips.push(chip);
    groups.set(chip.type, group);
  }
  lane.groups = [...groups.values()];
  const counted = new Map(choices.counts?.filter((one) => one.member === lane.member).map((one) => [one.type, one.count]));
  for (const group of lane.groups) group.count = Math.max(group.chips.length, counted.get(group.name) ?? 0);
  lane.chips = [];
}

/** Why a fault is refused, in the program's words if it has some. */
export function refusal(choices: Choices | null, verb: string): string {
  const words = choices?.not_possible.find((one) => one.label.verb === verb && one.member === null)?.why;
  const many = verb === 'crash' ? 'crashes' : `${verb}s`;
  return words ?? `this run allows no ${many}; “Allow faults” opens a branch that does`;
}
