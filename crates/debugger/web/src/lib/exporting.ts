// Files that the page itself makes: downloads, the PNG, and the story file from what the page knows when the program is gone.

import { address, asking, session, store } from './app.ts';
import { PROTOCOL } from './client.ts';
import { keysOf } from './session.ts';
import type { Change, Choices, State, StoryFile, Tree } from './types.ts';

export function download(name: string, content: BlobPart, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

const TYPES: Record<string, string> = { svg: 'image/svg+xml', html: 'text/html', itf: 'application/json' };

/** Asks for a file and hands it to the reader. */
export async function exportAs(format: string): Promise<void> {
  if (format === 'png') return exportPng();
  const file = await asking.exported(format);
  if (file === null) return;
  download(file.name, file.text, TYPES[format] ?? 'text/plain');
  session.tell(`${file.name} is in your downloads.`, '', 'good');
}

/** The drawing of the program, as pixels, twice the size for sharp screens. */
async function exportPng(): Promise<void> {
  const file = await asking.exported('svg');
  if (file === null) return;
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([file.text], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.naturalWidth * 2;
  canvas.height = image.naturalHeight * 2;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => {
    if (blob === null) return;
    const name = file.name.replace(/\.svg$/, '.png');
    download(name, blob, 'image/png');
    session.tell(`${name} is in your downloads.`, '', 'good');
  });
}

let page: { script: string; style: string } | null = null;

/** Fetches the page's own text while the program is there, so that a story file can be made without it. */
export async function rememberPage(): Promise<void> {
  if (page !== null || store.model.is_story) return;
  const [script, style] = await Promise.all(['app.js', 'app.css'].map(async (name) => (await fetch(name)).text()));
  page = { script: script ?? '', style: style ?? '' };
}

/** What the page knows of the run, as a story file. */
export function knownStory(): StoryFile | null {
  const { hello, list, story, sources, branches, notes, place } = store.model;
  if (hello === null || list === null) return null;
  const states: Record<string, State> = {};
  const parts: Record<string, Tree> = {};
  const choices: Record<string, Choices> = {};
  const changes: Record<string, Change[]> = {};
  const rows = list.rows.filter((row) => row !== undefined);
  for (const row of rows) {
    const known = session.known(row.place);
    if (known.state === undefined) continue;
    const { parts: _parts, changes: own, ...state } = known.state;
    states[row.place] = state;
    changes[row.place] = own;
    if (known.choices !== undefined) choices[row.place] = known.choices;
    for (const key of keysOf(state)) parts[key] = session.parts.get(key);
  }
  return {
    hello: { ...hello, protocol: PROTOCOL, branches: [...branches], notes: [...notes], view: { ...hello.view, place } },
    rows: { total: rows.length, rows, crossing: [] },
    states,
    parts,
    choices,
    changes,
    sources: Object.fromEntries(sources),
    story,
  };
}

/** Saves the page with what it knows, as one file that plays without the program. */
export function savePage(): void {
  const story = knownStory();
  if (story === null || page === null) {
    session.tell('There is nothing on the page that could be saved.', '', 'bad');
    return;
  }
  download(`${story.hello.system.name}.html`, pageWith(story, page.script, page.style), 'text/html');
}

export function pageWith(story: StoryFile, script: string, style: string): string {
  const data = JSON.stringify(story).replaceAll('<', '\\u003c');
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>foresee story</title><link rel="icon" href="data:,">',
    `<style>${style.replaceAll('</style', '<\\/style')}</style></head><body><div id="app"></div>`,
    `<script type="application/json" id="story">${data}</script>`,
    `<script type="module">${script.replaceAll('</script', '<\\/script')}</script></body></html>`,
  ].join('\n');
}

/** Reads a session file and goes on with it, beside the sessions there are. */
export async function openSession(file: File): Promise<void> {
  await upload(await file.text());
}

/** The same system with other parameters, at its start: a session without steps. */
export async function restart(system: string): Promise<void> {
  const here = await asking.exported('session');
  if (here !== null) await upload(startOf(here.text, system));
}

/** The head of a session with another system, and a run without steps. */
export function startOf(text: string, system: string): string {
  const lines = text.split('\n');
  const head = lines.slice(0, lines.indexOf('')).filter((line) => !/^(system|violation|message|opening|seed|initial):/.test(line));
  const [mark = '', ...rest] = head;
  return [mark, `system: ${system}`, ...rest, 'opening: start at 0', '', 'run main', 'view step=main:0 only-what-mattered=off', 'end', ''].join('\n');
}

async function upload(text: string): Promise<void> {
  const headers = { 'x-foresee-token': address.token };
  const response = await fetch('api/1/session', { method: 'POST', headers, body: text });
  const answer = response.headers.get('content-type') === 'application/json' ? ((await response.json()) as { session?: string; error?: { message: string; help?: string | null } }) : {};
  if (answer.session === undefined) {
    session.tell(answer.error?.message ?? `The session was refused (${response.status}).`, answer.error?.help ?? '', 'bad');
    return;
  }
  location.hash = `t=${address.token}&s=${answer.session}`;
  location.reload();
}
