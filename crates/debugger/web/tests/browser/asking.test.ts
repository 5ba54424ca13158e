// Run until, keyboard only, sessions and links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { atStep, goTo, hash, isIdle, open, press, ready, scenario, scratch, serve, settled, step, until } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];

async function ask(page: Page, condition: string, states: number): Promise<void> {
  await press(page, 'u');
  const dialog = page.getByTestId('until');
  await dialog.getByRole('combobox', { name: 'Field', exact: true }).fill(condition);
  await dialog.getByLabel('Look at most').fill(String(states));
  await dialog.getByLabel('Look at most').press('Enter');
}

scenario('run until a field has a value', ['debug', 'paxos', 'clients=2'], async (page) => {
  await ask(page, 'server3.ballot.round = 2', 10);
  await page.getByTestId('until').getByText('not found within 10 states').waitFor();
  assert.equal(await step(page), 0);
  await press(page, 'Escape');
  await ask(page, 'server3.ballot.round = 2', 200_000);
  await page.getByTestId('until').waitFor({ state: 'detached' });
  await until('it has moved', async () => (await step(page)) > 0);
  await settled(page);
  const round = page.locator('[data-path="server3.ballot.round"] .text');
  assert.equal(await round.textContent(), '2');
  const last = await step(page);
  assert.ok(last > 0);
  for (let at = last - 1; at >= 0; at -= 1) {
    await press(page, 'p');
    await atStep(page, at);
    assert.notEqual(await round.textContent(), '2');
  }
});

scenario('a long search is cancelled at once', ['debug', 'paxos', 'clients=3'], async (page) => {
  await ask(page, 'server3.ballot.round = 99', 10_000_000);
  const cancel = page.getByTestId('until').getByRole('button', { name: 'Cancel' });
  await cancel.waitFor();
  const started = Date.now();
  await cancel.click();
  await page.getByTestId('until').getByText('nothing has moved').waitFor();
  const took = Date.now() - started;
  assert.ok(took < (isIdle() ? 300 : 10_000), `${took} ms`);
  // The program is free again.
  await press(page, 'Escape');
  await page.locator('[data-testid=chip]:not([aria-disabled=true])').first().click();
  await atStep(page, 1);
});


scenario('everything by keyboard', FORGETFUL, async (page) => {
  const focused = (): Promise<string> => page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const style = element === null ? null : getComputedStyle(element);
    return element === null || element === document.body ? 'nothing' : `${element.dataset['testid'] ?? element.tagName} ${style?.outlineStyle} ${style?.outlineWidth}`;
  });
  const outlined = async (): Promise<void> => {
    const now = await focused();
    if (now !== 'nothing') assert.match(now, /solid [1-9]/, `${now} has a visible outline`);
  };
  await goTo(page, 6);
  await press(page, 'l');
  await until('a chip has the focus', async () => /chip|BUTTON/.test(await focused()));
  for (let at = 0; at < 6 && !(await focused()).startsWith('chip'); at += 1) await press(page, 'l');
  await outlined();
  await press(page, 'Enter');
  await atStep(page, 7);
  // To the state tree: regions, then the first row.
  for (let at = 0; at < 8 && !(await page.evaluate(() => document.activeElement?.closest('[data-region=state]') !== null)); at += 1) await press(page, 'F6');
  for (let at = 0; at < 30 && !(await focused()).startsWith('field'); at += 1) {
    await press(page, 'Tab');
    await outlined();
  }
  for (let at = 0; at < 12; at += 1) {
    if ((await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))) === 'false') break;
    await press(page, 'ArrowDown');
  }
  await press(page, 'ArrowRight');
  await until('the field is open', async () => (await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))) === 'true');
  await press(page, '.');
  await page.locator('.row.pinned').first().waitFor();
  await press(page, '=');
  await press(page, 'n');
  await settled(page);
  await press(page, 'p');
  await press(page, 'p');
  await settled(page);
  await press(page, '=');
  await page.getByTestId('compare').waitFor();
  await press(page, 'Escape');
  await page.getByTestId('compare').waitFor({ state: 'detached' });
  await press(page, '/');
  await page.getByTestId('find').waitFor();
  await outlined();
  await page.keyboard.type('Decided');
  await press(page, 'Enter');
  await page.getByTestId('find').getByText('found').waitFor();
  await press(page, 'Escape');
  await page.getByTestId('find').waitFor({ state: 'detached' });
  await press(page, 's');
  await page.getByTestId('notice').filter({ hasText: 'Saved' }).waitFor();
  // Clicking into the state tree does not take the keys away.
  await goTo(page, 3);
  await page.locator('[data-testid=field]').first().click();
  await press(page, 'n');
  await atStep(page, 4);
});

test('save, load, share', async () => {
  const first = await serve(FORGETFUL);
  const one = await open(first.url);
  await ready(one.page);
  await goTo(one.page, 6);
  await one.page.locator('[data-testid=chip][data-recorded=false]:not([aria-disabled=true])').first().click();
  await atStep(one.page, 7);
  await press(one.page, 'b');
  await one.page.locator('[role=dialog] input').fill('the other first');
  await press(one.page, 'Enter');
  await one.page.locator('[role=dialog]').waitFor({ state: 'detached' });
  await press(one.page, 'N');
  await one.page.locator('[role=dialog] textarea').fill('a note to keep');
  await one.page.locator('[role=dialog] button[type=submit]').click();
  await one.page.locator('[data-testid=field]').first().click();
  await press(one.page, '.');
  await until('pinned', async () => (await one.page.locator('.row.pinned').count()) > 0);
  await settled(one.page);
  const place = await hash(one.page);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await press(one.page, 's');
  const notice = one.page.getByTestId('notice').filter({ hasText: 'Saved as' });
  await notice.waitFor();
  const file = /Saved as (\S+)\./.exec((await notice.textContent()) ?? '')?.[1] ?? '';
  await one.context.close();
  await first.stop();

  const second = await serve(['debug', file.startsWith('/') ? file : `${scratch}/${file}`]);
  const other = await open(second.url);
  await ready(other.page);
  await atStep(other.page, 7);
  assert.equal(await hash(other.page), place);
  await other.page.getByText('the-other-first').first().waitFor({ state: 'attached' });
  await other.page.getByText('a note to keep').first().waitFor();
  assert.ok((await other.page.locator('.row.pinned, .pins').count()) > 0, 'the pin is kept');
  await other.context.close();
  const link = await open(`${second.url}&at=main:7`);
  await ready(link.page);
  await atStep(link.page, 7);
  assert.equal(await link.page.locator('[aria-selected=true]').getAttribute('data-branch'), '0');
  await link.context.close();
  await second.stop();
});
