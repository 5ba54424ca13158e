// Messages are delivered again, lost and doubled; nodes crash and come back; the network is cut; timers wait for each other.

import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { atStep, press, scenario, settled, step, until } from './harness.ts';

const chips = (page: Page, member: string, verb = 'deliver'): Locator => page.locator(`[data-testid=chip][data-member="${member}"][data-verb="${verb}"]`);

scenario('a delivered message is delivered again from the same send', ['debug', 'ping', 'network=set'], async (page) => {
  await chips(page, 'server').first().click();
  await atStep(page, 1);
  const fold = page.locator('[data-lane-chips] button[aria-expanded]').filter({ hasText: 'delivered' });
  await fold.first().click();
  await chips(page, 'server').filter({ hasText: 'Ping' }).first().click();
  await atStep(page, 2);
  const again = page.locator('[data-testid=diagram] path[data-again=true]');
  await again.waitFor();
  const start = async (arrow: Locator): Promise<string> => ((await arrow.getAttribute('d')) ?? '').split('L')[0] ?? '';
  assert.equal(await start(again), await start(page.locator('[data-testid=diagram] path[data-step="1"][data-verb=deliver]')));
});

scenario('a message is dropped or doubled once, and no more', ['debug', 'faulty'], async (page) => {
  const all = chips(page, 'server1');
  const before = await all.count();
  await all.first().focus();
  await press(page, 'D');
  await atStep(page, 1);
  assert.equal(await all.count(), before + 1);
  await all.first().focus();
  await press(page, 'd');
  await atStep(page, 2);
  assert.equal(await all.count(), before);
  await page.locator('[data-testid=diagram] [data-verb=drop]').first().waitFor();
  await all.first().focus();
  await press(page, 'd');
  await page.getByTestId('alert').filter({ hasText: 'no drops left' }).waitFor();
  assert.equal(await step(page), 2);
});

scenario('crash, restart, cut and heal', ['debug', 'faulty'], async (page) => {
  const lane = page.locator('[data-lane][data-member=server2]');
  await chips(page, 'server2').first().click();
  await atStep(page, 1);
  await lane.click();
  await press(page, 'c');
  await atStep(page, 2);
  assert.equal(await lane.getAttribute('data-status'), 'crashed');
  for (const one of await chips(page, 'server2').all()) {
    assert.equal(await one.getAttribute('aria-disabled'), 'true');
    assert.match((await one.getAttribute('title')) ?? '', /crash|down/);
  }
  await lane.click();
  await press(page, 'c');
  await atStep(page, 3);
  assert.notEqual(await lane.getAttribute('data-status'), 'crashed');
  const field = (name: string): Locator => page.locator(`[data-testid=field][data-path="server2.${name}"] .text`);
  assert.equal(await field('stored').textContent(), '1', 'stable storage survives');
  assert.equal(await field('heard').textContent(), '0', 'the rest does not');
  await press(page, 'P');
  await page.locator('[role=dialog] button').filter({ hasText: 'server1' }).filter({ hasText: 'server2 server3' }).first().click();
  await atStep(page, 4);
  const across = page.locator('[data-testid=chip][data-member=server1][aria-disabled=true]');
  await across.first().waitFor();
  assert.match((await across.first().getAttribute('title')) ?? '', /cut/);
  await press(page, 'P');
  await page.locator('[role=dialog] button').filter({ hasText: 'heal' }).click();
  await atStep(page, 5);
  assert.equal(await page.locator('[data-testid=chip][data-member=server1][aria-disabled=true]').count(), 0);
  await page.locator('[data-lane][data-member=server1]').click();
  await press(page, 'c');
  await page.getByTestId('alert').filter({ hasText: 'no crashes left' }).waitFor();
  assert.equal(await step(page), 5);
});

scenario('a timer that cannot fire says which one must fire first', ['debug', 'timers'], async (page) => {
  const second = page.locator('[data-testid=chip][data-label*=Second]');
  assert.equal(await second.getAttribute('aria-disabled'), 'true');
  assert.match((await second.getAttribute('title')) ?? '', /First/);
  await page.locator('[data-testid=chip][data-label*=First]').click();
  await atStep(page, 1);
  await settled(page);
  await until('the second timer can fire', async () => (await second.getAttribute('aria-disabled')) === null);
});

scenario('a handler that panics is a violation with its message', ['check', 'panicking', '--debug'], async (page) => {
  await page.getByTestId('state').or(page.locator('[data-region=state]')).getByText('no room for form').first().waitFor();
  assert.match((await page.getByTestId('why').textContent()) ?? '', /panic|no room/);
});
