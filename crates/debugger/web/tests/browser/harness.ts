// A program and a browser for a test: starts the tool, opens its page in the system's Chromium, and ends both.
// Environment: FORESEE_BINARY (else target/debug/examples/page_systems of the workspace), CHROMIUM.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';

const web = process.env['FORESEE_PAGE_FOLDER'] ?? '.';
export const workspace = join(web, '..', '..', '..');
const target = process.env['CARGO_TARGET_DIR'] ?? join(workspace, 'target');
const binary = process.env['FORESEE_BINARY'] ?? join(target, 'debug', 'examples', 'page_systems');
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const PLACES = [process.env['CHROMIUM'] ?? '', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const TOKEN = 'a-token-for-tests';
/** A loaded machine is slow; nothing waits longer than this for something to appear. */
export const PATIENCE_MS = Number(process.env['FORESEE_PATIENCE_MS'] ?? 30_000);

export type Running = { url: string; process: ChildProcess; port: number; errors: () => string; stop: (signal?: NodeJS.Signals) => Promise<void> };

const running = new Set<Running>();
let browser: Browser | null = null;
const folder = mkdtempSync(join(tmpdir(), 'foresee-page-'));

/** A folder for files that a test writes; the program runs in it. */
export const scratch = folder;

/** Whether times mean something: nothing else runs, and nobody but a person waits for the answer. */
export const isIdle = (): boolean => (loadavg()[0] ?? 0) < 1 && process.env['CI'] !== 'true';

/** Starts the tool with the words of a command and waits for its address. */
export async function serve(words: string[], port = 0, token = TOKEN): Promise<Running> {
  assert.ok(existsSync(binary), `${binary} is not built: cargo build -p foresee --examples`);
  const flags = ['--no-open', '--listen', `127.0.0.1:${port}`, '--token', token];
  const child = spawn(binary, [...words, ...flags], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let [out, err] = ['', ''];
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  const url = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`no address from ${words.join(' ')}\n${out}\n${err}`)), 2 * PATIENCE_MS);
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString();
      const found = /http:\/\/\S+/.exec(out);
      if (found !== null && out.includes('\n', found.index)) {
        clearTimeout(timer);
        resolve(found[0]);
      }
    });
    child.on('exit', (code) => reject(new Error(`${words.join(' ')} ended with ${code}\n${out}\n${err}`)));
  });
  const exited = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const one: Running = {
    url,
    process: child,
    port: Number(new URL(url).port),
    errors: () => err,
    stop: async (signal = 'SIGTERM') => {
      running.delete(one);
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await exited;
      clearTimeout(late);
    },
  };
  running.add(one);
  return one;
}

async function launched(): Promise<Browser> {
  const executablePath = PLACES.find((path) => path !== '' && existsSync(path));
  assert.ok(executablePath !== undefined, 'Chromium is not installed');
  browser ??= await chromium.launch({ executablePath, args: FLAGS });
  return browser;
}

export type View = { width?: number; height?: number; theme?: 'light' | 'dark'; offline?: boolean };

export type Opened = { page: Page; context: BrowserContext; errors: string[] };

/** A fresh page, with everything the browser complained about. */
export async function open(url: string, view: View = {}): Promise<Opened> {
  const context = await (await launched()).newContext({
    viewport: { width: view.width ?? 1280, height: view.height ?? 800 },
    colorScheme: view.theme ?? 'light',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    offline: view.offline ?? false,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url);
  return { page, context, errors };
}

/** Runs a test with a program and its page; neither may complain. */
export function scenario(name: string, words: string[], run: (page: Page, program: Running) => Promise<void>, view: View = {}): void {
  test(name, async () => {
    const program = await serve(words);
    const { page, context, errors } = await open(program.url, view);
    try {
      await ready(page);
      await run(page, program);
      assert.deepEqual(errors, [], 'the browser complains');
    } catch (error) {
      // What a person would have seen.
      console.log(`# ${name}: ${await seen(page).catch(String)}\n# browser: ${errors.join('; ')}\n# program: ${program.errors()}`);
      throw error;
    } finally {
      await context.close();
      await program.stop();
    }
  });
}

/** The words on the page, in a few lines, for whoever reads of a failure. */
async function seen(page: Page): Promise<string> {
  const words = await page.evaluate(() => {
    const text = (selector: string): string => [...document.querySelectorAll<HTMLElement>(selector)].map((one) => one.innerText).join(' | ');
    const main = document.querySelector<HTMLElement>('main');
    return { alert: text('[role=alert]'), dialog: text('[role=dialog]'), live: text('[data-testid=live]'), selected: text('[role=option][aria-selected=true]'), place: main?.dataset['place'] ?? '', settled: main?.dataset['settled'] ?? '' };
  });
  return JSON.stringify(words);
}

after(async () => {
  await browser?.close();
  for (const one of [...running]) await one.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

// Looking at the page.

export async function ready(page: Page): Promise<void> {
  await page.locator('[data-testid=run] [role=option][aria-selected=true]').first().waitFor();
  await settled(page);
}

export const selected = (page: Page): Locator => page.locator('[data-testid=run] [role=option][aria-selected=true]');

export async function step(page: Page): Promise<number> {
  return Number(await selected(page).getAttribute('data-step'));
}

/** Waits until something is true. */
export async function until(what: string, holds: () => Promise<boolean>, ms = PATIENCE_MS): Promise<void> {
  const end = Date.now() + ms;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > end) assert.fail(`not so within ${ms} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** Waits for a step to be selected, with its state shown. */
export async function atStep(page: Page, wanted: number): Promise<void> {
  await until(`step ${wanted} is selected`, async () => (await selected(page).count()) === 1 && (await step(page)) === wanted);
  await settled(page);
}

/** Waits until the state and the choices shown are those of the selected step. */
export async function settled(page: Page): Promise<void> {
  await until('the page shows the selected step', async () => (await page.locator('main[data-settled=true]').count()) === 1);
}

export async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let at = 0; at < times; at += 1) await page.keyboard.press(key);
}


export async function goTo(page: Page, number: number): Promise<void> {
  await press(page, 'g');
  await page.locator('[role=dialog] input').fill(String(number));
  await press(page, 'Enter');
  await atStep(page, number);
}

export async function hash(page: Page): Promise<string> {
  return (await selected(page).getAttribute('data-hash')) ?? '';
}
