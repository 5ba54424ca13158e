// Values as trees: one line of text, parts by path, and whether two are the same.

import type { Tree } from './types.ts';

/** The tree on one line, as Rust's `Debug` would print the value. */
export function oneLine(tree: Tree): string {
  if ('leaf' in tree) return tree.leaf;
  if ('record' in tree) {
    const fields = tree.record.fields.map(([name, value]) => `${name}: ${oneLine(value)}`);
    return `${tree.record.name} { ${fields.join(', ')} }`.trimStart();
  }
  if ('list' in tree) {
    const items = tree.list.items.map(oneLine).join(', ');
    return tree.list.name === '' ? `[${items}]` : `${tree.list.name}(${items})`;
  }
  return `{${tree.map.map(([key, value]) => `${oneLine(key)}: ${oneLine(value)}`).join(', ')}}`;
}

/** A pending timer: what it is, and when it fires. */
export function timerLine(tree: Tree): string {
  if (!('record' in tree)) return oneLine(tree);
  const [what, when, ...others] = tree.record.fields;
  if (what?.[0] !== 'timer' || when?.[0] !== 'after' || others.length > 0) return oneLine(tree);
  return `${oneLine(what[1])} after ${oneLine(when[1]).replace(/^0ns\b/, '0')}`;
}

/** The direct parts of a tree, with the word that a path uses for each. */
export function partsOf(tree: Tree): [string, Tree][] {
  if ('leaf' in tree) return [];
  if ('record' in tree) return tree.record.fields;
  if ('list' in tree) return tree.list.items.map((item, index) => [String(index), item]);
  return tree.map.map(([key, value]) => [oneLine(key), value]);
}

/** The part at a path, or null. */
export function partAt(tree: Tree, path: readonly string[]): Tree | null {
  let at: Tree = tree;
  for (const word of path) {
    const found = partsOf(at).find(([name]) => name === word);
    if (found === undefined) return null;
    at = found[1];
  }
  return at;
}

/** What a folded value shows beside its name: its kind and how much is inside. */
export function summary(tree: Tree): string {
  if ('leaf' in tree) return tree.leaf;
  if ('record' in tree) return tree.record.name === '' ? '{…}' : tree.record.name;
  if ('list' in tree) {
    const { name, items } = tree.list;
    if (items.length === 0) return name === '' ? '[]' : `${name}()`;
    return name === '' ? `${items.length} ${items.length === 1 ? 'item' : 'items'}` : name;
  }
  const size = tree.map.length;
  return size === 0 ? '{}' : `${size} ${size === 1 ? 'entry' : 'entries'}`;
}

export function sameTree(one: Tree, other: Tree): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** A text cut to so many characters, with a mark where it was cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1)).trimEnd()}…`;
}
