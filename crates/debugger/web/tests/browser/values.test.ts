// Where a value came from, watching one along the run, and what leaves the page: pictures, paper, pasted labels.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { atStep, goTo, open, press, ready, scenario, scratch, serve, settled, step, until } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];

/** Chooses the ballot's round of server3 in the state. */
async function chooseRound(page: Page): Promise<void> {
  const row = page.locator('[data-testid=field][data-path="server3.ballot.round"]');
  await row.scrollIntoViewIfNeeded();
  await row.click();
}

scenario('blame goes back from a value to the message and to its send', FORGETFUL, async (page) => {
  await goTo(page, 8);
  await chooseRound(page);
  await press(page, '[');
  const crumbs = page.getByRole('navigation', { name: 'Where the value came from' }).locator('button.link');
  await crumbs.first().waitFor();
  assert.ok((await crumbs.count()) >= 2, 'the change, and what made it');
  const steps: number[] = [];
  for (let at = 0; at < (await crumbs.count()); at += 1) {
    await crumbs.nth(at).click();
    await until('the crumb is where the page is', async () => (await crumbs.nth(at).getAttribute('aria-current')) === 'step');
    await settled(page);
    steps.push(await step(page));
  }
  assert.ok(steps.every((one, at) => at === 0 || one <= (steps[at - 1] ?? 0)), `back in time: ${steps.join(', ')}`);
  assert.ok((steps[steps.length - 1] ?? 99) < (steps[0] ?? 0), `to an earlier step: ${steps.join(', ')}`);
  await press(page, 'Escape');
  await until('the crumbs are gone', async () => (await crumbs.count()) === 0);
});

scenario('a watched field stands beside every step', FORGETFUL, async (page) => {
  await goTo(page, 7);
  await chooseRound(page);
  await press(page, 'x');
  const value = (at: number) => page.locator(`[data-testid=run] [role=option][data-step="${at}"] .value`);
  await until('the values are there', async () => (await value(7).count()) === 1 && (await value(7).textContent()) === '1');
  assert.equal(await value(6).textContent(), '2');
  await page.reload();
  await ready(page);
  await until('it is kept', async () => (await value(6).count()) === 1 && (await value(6).textContent()) === '2');
});

scenario('the run as a picture of pixels', FORGETFUL, async (page) => {
  await press(page, 'E');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-format=png]').click()]);
  const path = join(scratch, 'run.png');
  await download.saveAs(path);
  const bytes = readFileSync(path);
  assert.deepEqual([...bytes.subarray(0, 8)], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  assert.ok(width > 1_000 && width <= 2_800 && height > 600, `${width} × ${height}`);
});

test('a report printed has the sentence, the picture, every step and how it was checked', async () => {
  const program = await serve([...FORGETFUL, '--report', 'printed.html']);
  await program.stop();
  const { page, context, errors } = await open(`file://${join(scratch, 'printed.html')}`, { offline: true });
  await ready(page);
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  const paper = page.locator('.printed');
  await paper.waitFor();
  assert.match((await paper.locator('h2').textContent()) ?? '', /client2's Read/);
  const picture = paper.locator('img.picture');
  await until('the picture is drawn', async () => (await picture.count()) === 1 && (await picture.evaluate((one) => (one as HTMLImageElement).naturalWidth)) > 300);
  assert.equal(await paper.locator('ol.steps li').count(), 17);
  assert.match((await paper.locator('table.facts').textContent()) ?? '', /commandforesee check paxos|command.*check paxos/);
  const printed = await page.pdf({ format: 'A4' });
  assert.ok(printed.length > 20_000, `${printed.length} bytes`);
  assert.deepEqual(errors, []);
  await context.close();
});

scenario('different good runs when everything holds', ['check', 'ping', 'clients=2', '--debug'], async (page) => {
  assert.match((await page.getByTestId('why').textContent()) ?? '', /holds/);
  await page.getByRole('button', { name: 'Show me different runs' }).click();
  const branches = async (): Promise<number> => new Set(await page.locator('[data-testid=run] [data-branch]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-branch')))).size;
  await until('there are runs', async () => (await branches()) >= 2);
  await settled(page);
  assert.equal(await page.locator('[data-testid=run] [data-mark~=violation]').count(), 0, 'nothing goes wrong in them');
});

scenario('labels that are pasted are followed as far as they apply', ['debug', 'paxos', 'clients=2'], async (page) => {
  const first = (await page.locator('[data-testid=chip]').first().getAttribute('data-label')) ?? '';
  await press(page, 'V');
  await page.getByRole('dialog').getByRole('textbox').fill(`1  ${first}\n2  deliver nobody -> server1 Nothing\n`);
  await page.getByRole('dialog').getByRole('button', { name: 'Follow' }).click();
  await atStep(page, 1);
  await page.getByText('deliver nobody -> server1 Nothing').first().waitFor();
});

scenario('a restriction of the search has a switch', ['debug', 'ping', 'clients=1'], async (page) => {
  const box = page.getByTestId('why').getByRole('checkbox');
  await box.waitFor();
  assert.ok(await box.isChecked(), 'it is in force');
  await box.uncheck();
  await page.reload();
  await ready(page);
  assert.ok(!(await box.isChecked()), 'the program has it');
  await box.check();
  await page.reload();
  await ready(page);
  assert.ok(await box.isChecked());
});
