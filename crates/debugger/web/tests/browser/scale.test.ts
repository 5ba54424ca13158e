// Fifty nodes, many pending messages, a long run. Counts always hold; times are asserted on an idle machine only.
// FORESEE_SCALE=full takes ten thousand messages and five thousand steps (with an optimised build of the tool: making that run
// takes minutes otherwise); without it the run is smaller, but still longer than what the page knows whole.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atStep, isIdle, open, press, ready, selected, serve, settled, step, until } from './harness.ts';

const IS_FULL = process.env['FORESEE_SCALE'] === 'full';
const STEPS = IS_FULL ? 5_000 : 620;
const PENDING = IS_FULL ? 10_000 : 500;

test('a large run', async () => {
  const program = await serve(['debug', 'load', 'nodes=50', `pending=${PENDING}`, `steps=${STEPS}`]);
  const first = await open(program.url);
  await ready(first.page);
  await press(first.page, 'r');
  await first.page.getByLabel('Steps', { exact: true }).fill(String(STEPS));
  await first.page.getByLabel('Seed').press('Enter');
  await until('the run is there', async () => (await first.page.getByTestId('scrubber').getAttribute('aria-valuemax')) === String(STEPS), 240_000);
  await first.context.close();

  const opened = Date.now();
  const { page, context, errors } = await open(program.url);
  await ready(page);
  const view = Date.now() - opened;
  await press(page, 'End');
  await atStep(page, STEPS);
  const elements = (): Promise<number> => page.evaluate(() => document.querySelectorAll('*').length);
  assert.ok((await elements()) <= 1_500, `${await elements()} elements`);
  const times: number[] = [];
  for (let at = 1; at <= 20; at += 1) {
    await press(page, 'p');
    await until('painted', async () => (await step(page)) === STEPS - at);
    times.push(...(await page.evaluate(() => performance.getEntriesByName('step').splice(-1).map((one) => one.duration))));
  }
  times.sort((one, other) => one - other);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  assert.equal(times.length, 20);
  const lanes = page.locator('[data-testid=diagram] [data-lane]');
  const before = await lanes.count();
  await press(page, 'o');
  await until('fewer lanes', async () => (await lanes.count()) < before);
  await press(page, 'o');
  await until('all lanes', async () => (await lanes.count()) === before);
  const jumps: number[] = [];
  for (const [key, wanted] of [['Home', 0], ['End', STEPS]] as const) {
    const pressed = Date.now();
    await press(page, key);
    await until(key, async () => (await selected(page).count()) === 1 && (await step(page)) === wanted);
    jumps.push(Date.now() - pressed);
  }
  await settled(page);
  assert.ok((await elements()) <= 1_500, `${await elements()} elements`);
  console.log(`# first view ${view} ms, step median ${median.toFixed(0)} ms, 95 % ${(times[18] ?? 0).toFixed(0)} ms, Home and End ${jumps.join(' and ')} ms, ${await elements()} elements`);
  if (isIdle()) {
    assert.ok(view < 2_000, `first view after ${view} ms`);
    assert.ok(median < 100 && (times[18] ?? 0) < 250, `steps: median ${median} ms`);
    assert.ok(jumps.every((ms) => ms < 300), `Home and End: ${jumps.join(', ')} ms`);
  }
  assert.deepEqual(errors, []);
  await context.close();
  await program.stop();
});
