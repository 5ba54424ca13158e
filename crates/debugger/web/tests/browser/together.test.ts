// Several pages on one program: each sees where the others look, and a saved session is opened beside the first.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { atStep, goTo, open, press, ready, scenario, scratch, serve, until } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];

test('a page sees where another looks, until that one is gone', async () => {
  const program = await serve(FORGETFUL);
  const one = await open(program.url);
  await ready(one.page);
  const other = await open(program.url);
  await ready(other.page);
  await goTo(other.page, 7);
  const seen = one.page.locator('[data-testid=run] [data-step="7"] [data-testid=other]');
  await until('the other is at step 7', async () => (await seen.count()) === 1);
  await other.context.close();
  await until('the other is gone', async () => (await one.page.getByTestId('other').count()) === 0);
  assert.deepEqual([...one.errors, ...other.errors], []);
  await one.context.close();
  await program.stop();
});

scenario('a session file is opened beside the first', FORGETFUL, async (page) => {
  await goTo(page, 6);
  await page.locator('[data-testid=chip][data-recorded=false]:not([aria-disabled=true])').first().click();
  await atStep(page, 7);
  await press(page, 'E');
  const [download] = await Promise.all([page.waitForEvent('download'), page.locator('[data-format=session]').click()]);
  const path = join(scratch, 'sent.session');
  await download.saveAs(path);
  const program = await serve(['debug', 'ping']);
  const { page: there, context } = await open(program.url);
  await ready(there);
  await press(there, 'E');
  await there.getByTestId('upload').setInputFiles(path);
  await there.locator('[data-testid=why]').getByText("client2's Read").first().waitFor();
  await ready(there);
  const branches = await there.locator('[data-testid=run] [data-branch]').evaluateAll((rows) => new Set(rows.map((row) => row.getAttribute('data-branch'))).size);
  assert.equal(branches, 2);
  const broken = join(scratch, 'broken.session');
  writeFileSync(broken, 'this is no session');
  await press(there, 'E');
  await there.getByTestId('upload').setInputFiles(broken);
  await there.locator('[data-testid=alert]').waitFor();
  await context.close();
  await program.stop();
});

test('the system is restarted with other parameters beside the session', async () => {
  const program = await serve(['debug', 'paxos', 'clients=1']);
  const { page, context } = await open(program.url);
  await ready(page);
  await page.locator('header button.system').click();
  await page.getByRole('dialog').getByLabel('clients').fill('2');
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await page.locator('[data-testid=card][data-member=client2]').first().waitFor();
  await ready(page);
  assert.match((await page.locator('header .system').textContent()) ?? '', /^paxos clients=2/);
  // What makes no sense is refused in the program's words.
  await page.locator('header button.system').click();
  await page.getByRole('dialog').getByLabel('clients').fill('many');
  await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
  await page.locator('[data-testid=alert]').getByText('not a whole number').waitFor();
  await context.close();
  await program.stop();
});
