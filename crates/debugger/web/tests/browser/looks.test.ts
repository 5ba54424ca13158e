// No accessibility violations in either theme, every size works, the story file plays without a network.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { atStep, goTo, open, press, ready, scenario, scratch, serve, settled, workspace } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];
const require = createRequire(join(process.env['FORESEE_PAGE_FOLDER'] ?? '.', 'package.json'));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

type Found = { id: string; nodes: { html: string; failureSummary?: string }[] };

async function assertAccessible(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const violations = await page.evaluate(async () => {
    const run = (window as unknown as { axe: { run: (document: Document, options: unknown) => Promise<{ violations: Found[] }> } }).axe;
    return (await run.run(document, { resultTypes: ['violations'] })).violations;
  });
  const words = violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => `${node.html}\n${node.failureSummary ?? ''}`).join('\n')}`);
  assert.deepEqual(words, [], where);
}

for (const theme of ['light', 'dark'] as const) {
  scenario(`accessible, ${theme}`, FORGETFUL, async (page) => {
    await assertAccessible(page, 'first view');
    await goTo(page, 6);
    await assertAccessible(page, 'in the middle');
    for (const key of ['?', 'u', '/', 'E', 'r']) {
      await press(page, key);
      await page.locator('[role=dialog]').waitFor();
      await assertAccessible(page, `dialog ${key}`);
      await press(page, 'Escape');
      await page.locator('[role=dialog]').waitFor({ state: 'detached' });
    }
  }, { theme });
}

const lamp = join(scratch, 'lamp.aut');
writeFileSync(lamp, 'des (0, 3, 3)\n(0, "on", 1)\n(1, "off", 0)\n(1, "break", 2)\n');
const OTHERS: [string, string[]][] = [
  ['an Erlang program', ['check', join(workspace, 'examples/bank.erl'), '-t', 'race_test', '--after-timeout', '5000', '--debug']],
  ['a deadlock', ['check', join(workspace, 'examples/models/philosophers.mcrl'), '--debug']],
  ['a formula', ['verify', lamp, '--formula', 'mu X. [true] X', '--debug']],
];
for (const [name, words] of OTHERS) {
  scenario(`accessible: ${name}`, words, async (page) => {
    await assertAccessible(page, 'light');
    await press(page, 'T');
    await page.locator('html[data-theme=dark]').waitFor();
    await assertAccessible(page, 'dark');
    await press(page, 'p');
    await settled(page);
    await assertAccessible(page, 'a step before');
  });
}

scenario('a narrow window has the state in a drawer', FORGETFUL, async (page) => {
  assert.equal(await page.locator('[data-region=state]').count(), 0);
  await press(page, 'e');
  await page.locator('[data-region=state]').waitFor();
  await press(page, 'Escape');
  await page.locator('[data-region=state]').waitFor({ state: 'detached' });
}, { width: 1000 });

test('a very narrow window tells the story as text', async () => {
  const program = await serve(FORGETFUL);
  const { page, context } = await open(program.url, { width: 600 });
  await page.getByText('needs 700 px').waitFor();
  await page.locator('main li').filter({ hasText: 'deliver' }).first().waitFor();
  await context.close();
  await program.stop();
});

test('the story file plays from disk without a network', async () => {
  const program = await serve(FORGETFUL);
  const live = await open(program.url);
  await ready(live.page);
  await press(live.page, 'E');
  const [download] = await Promise.all([live.page.waitForEvent('download'), live.page.locator('[data-format=html]').click()]);
  const path = join(scratch, 'story.html');
  await download.saveAs(path);
  await live.context.close();
  await program.stop();
  const text = readFileSync(path, 'utf8');
  assert.ok(Buffer.byteLength(text) < 300_000, `${Buffer.byteLength(text)} bytes`);
  assert.ok(!/(src|href|from|import|fetch)\s*[=(]?\s*["'`]https?:/.test(text), 'nothing is fetched from elsewhere');
  writeFileSync(path, text);
  const { page, context, errors } = await open(`file://${path}`, { offline: true });
  await ready(page);
  await atStep(page, 17);
  for (let wanted = 16; wanted >= 0; wanted -= 1) {
    await press(page, 'p');
    await atStep(page, wanted);
  }
  await press(page, 'End');
  await atStep(page, 17);
  await settled(page);
  assert.deepEqual(errors, []);
  await assertAccessible(page, 'story file');
  await context.close();
});
