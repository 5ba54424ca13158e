// A run that goes wrong is explained, walked back and forth, and branched from.

import assert from 'node:assert/strict';
import { type Page } from 'playwright-core';
import { atStep, goTo, hash, press, scenario, selected, settled, until } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];

scenario('a violation opens explained', FORGETFUL, async (page) => {
  await atStep(page, 17);
  const why = (await page.getByTestId('why').textContent()) ?? '';
  assert.match(why, /client2's Read returned A, although client1's Read had returned B before client2 asked/);
  assert.match(why, /step 11/, 'where it was decided');
  assert.match(why, /step 7/, 'what is suspect');
  assert.match((await page.getByTestId('verdict').textContent()) ?? '', /linearizable/);
  const violations = page.locator('[data-testid=diagram] [data-mark=violation]');
  assert.equal(await violations.count(), 1);
  const box = await violations.boundingBox();
  assert.ok(box !== null && box.y > 0 && box.y + box.height < 800 && box.x > 0 && box.x + box.width < 1280, 'the violation is in view');
});

const round = (page: Page) => page.locator('[data-testid=card][data-member=server3] [data-testid=field][data-path="server3.ballot.round"]');

scenario('stepping back and forth', FORGETFUL, async (page) => {
  await atStep(page, 17);
  for (let wanted = 16; wanted >= 7; wanted -= 1) {
    await press(page, 'p');
    await atStep(page, wanted);
    assert.ok(((await page.getByTestId('live').textContent()) ?? '').startsWith(`Step ${wanted}.`));
  }
  assert.equal(await round(page).getAttribute('data-change'), 'changed');
  assert.match((await round(page).textContent()) ?? '', /2\s*→\s*1/);
  assert.equal(await round(page).locator('del').textContent(), '2');
  await press(page, 'p');
  await atStep(page, 6);
  assert.equal(await round(page).locator('.text').textContent(), '2');
  for (let wanted = 7; wanted <= 17; wanted += 1) {
    await press(page, 'n');
    await atStep(page, wanted);
    assert.ok(((await page.getByTestId('live').textContent()) ?? '').startsWith(`Step ${wanted}.`));
  }
});

scenario('the same label leads to the same state', FORGETFUL, async (page) => {
  await goTo(page, 7);
  const recorded = await hash(page);
  await press(page, 'p');
  await atStep(page, 6);
  await page.locator('[data-testid=chip][data-recorded=true]').click();
  await atStep(page, 7);
  assert.equal(await hash(page), recorded);
  assert.equal((await branches(page)).size, 1);
});

async function branches(page: Page): Promise<Set<string | null>> {
  const rows = await page.locator('[data-testid=run] [data-branch]').all();
  return new Set(await Promise.all(rows.map((row) => row.getAttribute('data-branch'))));
}

scenario('the nearest good run is a branch with a sentence', FORGETFUL, async (page) => {
  await press(page, 'G');
  await atStep(page, 11);
  const words = (await page.getByTestId('good').textContent()) ?? '';
  assert.match(words, /The same until step 10; then .* instead of .*Decided/);
  assert.equal((await branches(page)).size, 2);
  await press(page, 'End');
  await settled(page);
  assert.equal(await page.locator('[data-testid=run] [data-branch]:not([data-branch="0"])[data-mark~=violation]').count(), 0);
  assert.equal(await page.getByTestId('chip').and(page.locator(':not([aria-disabled=true])')).count(), 0, 'it ends');
});

scenario('branching off and coming back', FORGETFUL, async (page) => {
  await goTo(page, 12);
  const before = await hash(page);
  await goTo(page, 6);
  await page.locator('[data-testid=chip][data-recorded=false]:not([aria-disabled=true])').first().click();
  await until('a second rail', async () => (await branches(page)).size === 2);
  await atStep(page, 7);
  assert.notEqual(await selected(page).getAttribute('data-branch'), '0');
  assert.equal(await page.locator('main').getAttribute('data-hash'), await hash(page));
  await page.locator('[data-testid=run] [data-branch="0"][data-step="12"]').click();
  await atStep(page, 12);
  await settled(page);
  assert.equal(await hash(page), before);
  assert.equal(await page.locator('main').getAttribute('data-hash'), before);
});
