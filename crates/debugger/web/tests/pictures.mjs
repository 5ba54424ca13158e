// Pictures of the page for the guide: `node tests/pictures.mjs [FOLDER]`. Needs a built tool (see tests/browser/harness.ts) and
// Chromium; pngquant, where it is installed, makes the files small.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const here = dirname(fileURLToPath(import.meta.url));
const workspace = join(here, '..', '..', '..', '..');
const folder = process.argv[2] ?? join(workspace, 'docs', 'guide', 'pictures');
const binary = process.env.FORESEE_BINARY ?? join(process.env.CARGO_TARGET_DIR ?? join(workspace, 'target'), 'debug', 'examples', 'page_systems');
const only = process.argv[3] ?? '';
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];
const BANK = ['check', join(workspace, 'examples/bank.erl'), '-t', 'race_test', '--after-timeout', '5000', '--debug'];
/** A lamp that may flicker for ever. */
const LAMP = 'des (0, 6, 5)\n(0, "on", 1)\n(1, "flicker", 2)\n(2, "dim", 3)\n(3, "flicker", 2)\n(2, "off", 0)\n(1, "break", 4)\n';
const small = { width: 1280, height: 760, theme: 'light' };
const large = { width: 1920, height: 1080, theme: 'dark' };

/** Each scene: its name, the command, and what is done before a picture is taken. Each is taken small and light, large and dark. */
const SCENES = [
  ['violation', FORGETFUL, async () => undefined],
  ['look-ahead', FORGETFUL, (page) => step(page, 6, 3000)],
  ['erlang', BANK, (page) => step(page, 18, 300)],
  ['overview', ['debug', 'load', 'nodes=50', 'pending=500', 'steps=4000'], async (page) => {
    await page.keyboard.press('r');
    await page.getByLabel('Steps', { exact: true }).fill('300');
    await page.keyboard.press('Enter');
    await page.locator('[data-testid=scrubber][aria-valuemax="300"]').waitFor();
    await page.keyboard.press('End');
    await page.locator('[role=option][aria-selected=true][data-step="300"]').waitFor();
    await page.keyboard.press('o');
    await page.waitForTimeout(1500);
  }],
  ['holds', ['check', 'two-phase-commit', '--debug'], async () => undefined],
  ['empty', ['debug', 'two-phase-commit'], async () => undefined],
  ['stuck', ['check', join(workspace, 'examples/models/philosophers.mcrl'), '--debug'], async () => undefined],
  ['goal-missed', ['check', 'paxos', 'clients=2', '--guide', 'a forgotten promise', '--debug'], async () => undefined],
  // As somebody sees it whose eyes tell red from green badly: marks must differ in more than their colour.
  ['deuteranopia', FORGETFUL, async (page) => {
    await step(page, 7, 3000);
    const browser = await page.context().newCDPSession(page);
    await browser.send('Emulation.setEmulatedVisionDeficiency', { type: 'deuteranopia' });
  }],
  ['good-run', FORGETFUL, async (page) => {
    await page.keyboard.press('G');
    await page.locator('[data-testid=good]').waitFor();
    await page.waitForTimeout(2500);
  }],
  ['formula', ['verify', 'lamp.aut', '--formula', '[true*. on] mu X. [!off] X', '--debug'], async () => undefined],
  ['lost', FORGETFUL, async (page, child) => {
    child.kill('SIGKILL');
    await page.locator('[role=alert]').waitFor();
  }],
  ['story', [...FORGETFUL, '--report', 'story.html'], async (page, _child, cwd) => {
    await page.goto(`file://${join(cwd, 'story.html')}`);
    await page.locator('main[data-settled=true]').waitFor();
    await step(page, 7, 300);
  }],
];
const PICTURES = SCENES.flatMap(([name, words, prepare]) => [
  [`debugger-${name}`, words, small, prepare],
  [`debugger-${name}-dark`, words, large, prepare],
]);

async function step(page, wanted, wait) {
  await page.keyboard.press('g');
  await page.locator('[role=dialog] input').fill(String(wanted));
  await page.keyboard.press('Enter');
  await page.waitForTimeout(wait);
}

async function address(child) {
  let out = '';
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      out += data.toString();
      const found = /http:\/\/\S+\n/.exec(out);
      if (found !== null) resolve(found[0].trim());
    });
    child.on('exit', () => reject(new Error(`the tool ended\n${out}`)));
  });
}

mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
for (const [name, words, view, prepare] of PICTURES) {
  if (!name.includes(only)) continue;
  const cwd = mkdtempSync(join(tmpdir(), 'foresee-pictures-'));
  writeFileSync(join(cwd, 'lamp.aut'), LAMP);
  const child = spawn(binary, [...words, '--no-open', '--listen', '127.0.0.1:0', '--token', 'picture'], { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await address(child);
  const page = await browser.newPage({ viewport: { width: view.width, height: view.height }, colorScheme: view.theme, reducedMotion: 'reduce' });
  page.setDefaultTimeout(240_000);
  await page.goto(url);
  await page.locator('main[data-settled=true]').waitFor();
  await page.waitForTimeout(1200);
  await prepare(page, child, cwd);
  await page.mouse.move(2, 2);
  await page.waitForTimeout(300);
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  spawnSync('pngquant', ['--force', '--skip-if-larger', '--speed', '1', '--output', path, '64', path], { stdio: 'ignore' });
  console.log(path);
  await page.close();
  child.kill('SIGKILL');
}
await browser.close();
