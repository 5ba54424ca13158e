// Everything the page shows, in one object. A change makes a new object with the changed parts replaced, so that whoever looks at a
// part sees by identity whether it changed.

import type { RowList } from './rows.ts';
import type { Branch, Change, Choices, GoodRun, Graph, Hello, Member, Note, Outlook, Row, StateAnswer, Stopped, Story, Strip, Toward, Tree } from './types.ts';

export type Dialog =
  | 'keys'
  | 'palette'
  | 'find'
  | 'until'
  | 'random'
  | 'goto'
  | 'name'
  | 'note'
  | 'export'
  | 'paste'
  | 'partition'
  | 'watch'
  | 'table'
  | 'facts'
  | 'parameters'
  | 'restart'
  | null;
export type View = 'diagram' | 'columns' | 'graph' | 'source' | 'actions';
export type Connection = 'opening' | 'open' | 'lost' | 'ended' | 'wrong-token' | 'mismatch';
export type Verdict = { verdict: Outlook; shortest: number | null; complete: boolean };
export type Crumb = { place: number; reason: string; path: string };
export type Notice = { text: string; help: string; kind: 'good' | 'bad' | 'plain' };

export type Model = {
  connection: Connection;
  lost_at: string;
  mismatch: string;
  hello: Hello | null;
  is_story: boolean;
  /** The drawing of the whole run, of a story file. */
  picture: string;
  progress: string;
  members: readonly Member[];
  branches: readonly Branch[];
  notes: readonly Note[];
  pins: readonly string[];
  watches: readonly string[];
  watched: ReadonlyMap<string, readonly (string | null)[]>;
  /** Where we are, on the way to which branch's end, and where we were before. */
  place: number;
  branch: number;
  back: number | null;
  row: Row | null;
  state: StateAnswer | null;
  choices: Choices | null;
  /** All rows in list order, the rows of this branch by step, and those of them that mattered (for long runs). */
  list: RowList | null;
  path: RowList | null;
  mattered: RowList | null;
  rows_version: number;
  strip: Strip | null;
  outlook: ReadonlyMap<string, Verdict>;
  looks_ahead: boolean;
  looking: boolean;
  preview: { state: StateAnswer; title: string; x: number; y: number } | null;
  compare: { mark: number; other: number | null; changes: readonly Change[] | null } | null;
  crumbs: readonly Crumb[];
  crumb: number;
  found: readonly number[];
  story: Story | null;
  is_playing: boolean;
  graph: Graph | null;
  sources: ReadonlyMap<string, string>;
  file: string | null;
  /** The tail that no longer applies after the code changed. */
  stopped: Stopped | null;
  reloaded: string;
  /** How far goals are from a place. */
  compass: { place: number; goals: readonly Toward[] } | null;
  /** What exploring from where the run stops now has found. */
  checked: string;
  /** The run that ends well and shares most with the one that went wrong. */
  good: GoodRun | null;
  until: { running: boolean; text: string };
  notice: Notice | null;
  busy: boolean;
  saved: boolean;
  followers: ReadonlyMap<string, number>;
  // What only the page knows.
  dialog: Dialog;
  view: View;
  lane: number;
  field: string | null;
  folds: ReadonlyMap<string, boolean>;
  cards: ReadonlyMap<string, boolean>;
  changed_only: boolean;
  only_mattered: boolean;
  why_folded: boolean;
  drawer: boolean;
  theme: 'light' | 'dark' | 'auto';
  filter: string;
  open_gaps: ReadonlySet<number>;
  hovered_type: string | null;
  open_groups: ReadonlySet<string>;
};

export const START: Model = {
  connection: 'opening',
  lost_at: '',
  mismatch: '',
  hello: null,
  is_story: false,
  picture: '',
  progress: '',
  members: [],
  branches: [],
  notes: [],
  pins: [],
  watches: [],
  watched: new Map(),
  place: 0,
  branch: 0,
  back: null,
  row: null,
  state: null,
  choices: null,
  list: null,
  path: null,
  mattered: null,
  rows_version: 0,
  strip: null,
  outlook: new Map(),
  looks_ahead: true,
  looking: false,
  preview: null,
  compare: null,
  crumbs: [],
  crumb: -1,
  found: [],
  story: null,
  is_playing: false,
  graph: null,
  sources: new Map(),
  file: null,
  stopped: null,
  reloaded: '',
  compass: null,
  checked: '',
  good: null,
  until: { running: false, text: '' },
  notice: null,
  busy: false,
  saved: true,
  followers: new Map(),
  dialog: null,
  view: 'diagram',
  lane: -1,
  field: null,
  folds: new Map(),
  cards: new Map(),
  changed_only: false,
  only_mattered: false,
  why_folded: false,
  drawer: false,
  theme: 'auto',
  filter: '',
  open_gaps: new Set(),
  hovered_type: null,
  open_groups: new Set(),
};

/** Follows Svelte's contract for stores, which asks for `subscribe` alone. */
export class Store {
  private readonly watchers = new Set<(model: Model) => void>();
  constructor(public model: Model = START) {}

  subscribe(watcher: (model: Model) => void): () => void {
    this.watchers.add(watcher);
    watcher(this.model);
    return () => this.watchers.delete(watcher);
  }

  set(patch: Partial<Model>): void {
    this.model = { ...this.model, ...patch };
    for (const watcher of [...this.watchers]) watcher(this.model);
  }
}

/** Parts by their keys; a key names its content, so a part never changes. */
export class Parts {
  private readonly known = new Map<string, Tree>();

  learn(parts: { [key in string]?: Tree }): void {
    for (const key of Object.keys(parts)) {
      const tree = parts[key];
      if (tree !== undefined) this.known.set(key, tree);
    }
  }

  get(key: string): Tree {
    return this.known.get(key) ?? { leaf: '…' };
  }

  has(key: string): boolean {
    return this.known.has(key);
  }
}
