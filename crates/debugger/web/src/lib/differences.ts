// Trees as rows of a treegrid, with the differences to the state before marked inside nested values.
// The program sends changes as paths; a story file is compared here. Removed parts become rows of their own.

import { cut, oneLine, partsOf, sameTree, summary } from './tree.ts';
import type { Change, Tree } from './types.ts';

export type ChangeKind = 'changed' | 'new' | 'removed';

export type FieldRow = {
  /** The words of the path inside the member, and the whole path with the member's name. */
  words: string[];
  path: string;
  name: string;
  level: number;
  value: string;
  whole: string;
  old: string | null;
  change: ChangeKind | null;
  /** Something inside is marked. */
  holds_change: boolean;
  can_unfold: boolean;
  is_open: boolean;
  index: number;
  size: number;
};

/** Longer values are cut; unfolding or the tooltip shows them whole. */
const VALUE_MAX = 90;
/** A value that does not fit into a narrow card is opened by itself if it has few parts. */
const FITS = 30;
const OPEN_PARTS_MAX = 3;

export type Folds = ReadonlyMap<string, boolean>;

export function pathText(owner: string, words: readonly string[]): string {
  return [owner, ...words].filter((word) => word !== '').join('.');
}

/** Whether a value is open: as the reader left it, or because something inside changed, or because it is small. */
function opens(tree: Tree, path: string, marked: boolean, level: number, folds: Folds): boolean {
  const parts = partsOf(tree);
  if (parts.length === 0) return false;
  const chosen = folds.get(path);
  if (chosen !== undefined) return chosen;
  if (marked) return true;
  const isStruct = 'record' in tree;
  return isStruct && level <= 1 && parts.length <= OPEN_PARTS_MAX && oneLine(tree).length > FITS;
}

type Marks = { change: Change; words: readonly string[] }[];

function below(marks: Marks, word: string): Marks {
  return marks
    .filter((mark) => mark.words[0] === word)
    .map((mark) => ({ change: mark.change, words: mark.words.slice(1) }));
}

function kindOf(change: Change): ChangeKind {
  if (change.before === null) return 'new';
  return change.after === null ? 'removed' : 'changed';
}

/** Every row of one value that is visible, in order. `changes` have paths inside the value. */
export function rowsOf(
  owner: string,
  tree: Tree,
  changes: readonly Change[],
  folds: Folds,
  changedOnly = false,
): FieldRow[] {
  const rows: FieldRow[] = [];
  const marks: Marks = changes.map((change) => ({ change, words: change.path }));
  addParts(rows, owner, [], tree, marks, folds, changedOnly);
  return rows;
}

function addParts(
  rows: FieldRow[],
  owner: string,
  words: string[],
  tree: Tree,
  marks: Marks,
  folds: Folds,
  changedOnly: boolean,
): void {
  const parts = partsOf(tree);
  const names = new Set(parts.map(([name]) => name));
  const removed = marks.filter(
    (mark) => mark.words.length === 1 && mark.change.after === null && !names.has(mark.words[0] ?? ''),
  );
  const shown = parts.filter(([name]) => !changedOnly || below(marks, name).length > 0);
  const size = shown.length + removed.length;
  let index = 0;
  for (const [name, part] of shown) {
    index += 1;
    addRow(rows, owner, [...words, name], part, below(marks, name), folds, changedOnly, index, size);
  }
  for (const mark of removed) {
    index += 1;
    rows.push(removedRow(owner, [...words, mark.words[0] ?? ''], mark.change, index, size));
  }
}

function addRow(
  rows: FieldRow[],
  owner: string,
  words: string[],
  tree: Tree,
  marks: Marks,
  folds: Folds,
  changedOnly: boolean,
  index: number,
  size: number,
): void {
  const own = marks.find((mark) => mark.words.length === 0)?.change ?? null;
  const inner = marks.filter((mark) => mark.words.length > 0);
  const path = pathText(owner, words);
  const level = words.length;
  const isOpen = opens(tree, path, inner.length > 0, level, folds);
  const whole = oneLine(tree);
  const old = own?.before ?? null;
  rows.push({
    words,
    path,
    name: words[words.length - 1] ?? '',
    level,
    value: isOpen ? summary(tree) : cut(whole, VALUE_MAX),
    whole,
    old: old === null || own?.after === null ? null : cut(oneLine(old), VALUE_MAX),
    change: own === null ? null : kindOf(own),
    holds_change: inner.length > 0,
    can_unfold: partsOf(tree).length > 0,
    is_open: isOpen,
    index,
    size,
  });
  if (isOpen) addParts(rows, owner, words, tree, inner, folds, changedOnly && own === null);
}

function removedRow(
  owner: string,
  words: string[],
  change: Change,
  index: number,
  size: number,
): FieldRow {
  const whole = change.before === null ? '' : oneLine(change.before);
  return {
    words,
    path: pathText(owner, words),
    name: words[words.length - 1] ?? '',
    level: words.length,
    value: cut(whole, VALUE_MAX),
    whole,
    old: null,
    change: 'removed',
    holds_change: false,
    can_unfold: false,
    is_open: false,
    index,
    size,
  };
}

/** What differs between two values, as the program would tell it. */
export function differences(before: Tree, after: Tree, path: string[] = []): Change[] {
  if (sameTree(before, after)) return [];
  const whole: Change = { member: null, path, before, after };
  if ('leaf' in before || 'leaf' in after || nameOf(before) !== nameOf(after)) return [whole];
  const old = new Map(partsOf(before));
  const found: Change[] = [];
  for (const [name, part] of partsOf(after)) {
    const was = old.get(name);
    if (was === undefined) found.push({ member: null, path: [...path, name], before: null, after: part });
    else found.push(...differences(was, part, [...path, name]));
    old.delete(name);
  }
  for (const [name, part] of old) {
    found.push({ member: null, path: [...path, name], before: part, after: null });
  }
  return found;
}

function nameOf(tree: Tree): string {
  if ('record' in tree) return `record ${tree.record.name}`;
  return 'list' in tree ? `list ${tree.list.name}` : 'map';
}
