// Erlang with its source, process algebra with its actions, a transition system with its neighbourhood.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { atStep, goTo, press, scenario, scratch, settled, step, workspace } from './harness.ts';

const BANK = ['check', join(workspace, 'examples/bank.erl'), '-t', 'race_test', '--after-timeout', '5000', '--debug'];

scenario('an Erlang race with its source', BANK, async (page) => {
  const why = page.getByTestId('why');
  await why.getByText('Race').first().waitFor();
  // Step numbers are found by what happens, not written down: who reads the balance last, who withdraws first.
  const links = why.locator('.race').first().getByRole('button');
  const [first, second] = [await links.nth(0).textContent(), await links.nth(1).textContent()].map((text) => Number(/\d+/.exec(text ?? '')?.[0]));
  assert.ok(first !== undefined && second !== undefined && first < second);
  await links.nth(0).click();
  await atStep(page, first);
  const rows = page.locator('[data-testid=run] [role=option]');
  for (const gap of await page.locator('[data-testid=run] .gap').all()) if (await gap.isVisible()) await gap.click();
  assert.ok((await rows.count()) > 10);
  const stepOf = async (title: RegExp): Promise<number> => {
    const found = await page.locator('[data-testid=run] [data-step]').evaluateAll((all, pattern) => all.filter((one) => new RegExp(pattern).test(one.getAttribute('title') ?? '')).map((one) => Number((one as HTMLElement).dataset['step'])), title.source);
    assert.ok(found.length > 0, `no step ${title.source}`);
    return found[0] ?? 0;
  };
  const balance = await stepOf(/<P\.3>.*call.*balance/);
  const withdraw = await stepOf(/<P\.2>.*call.*withdraw/);
  assert.deepEqual([first, second], [balance, withdraw], 'the race is between the late look at the balance and the early withdrawal');
  // The process that withdraws is at the line that withdraws, and that is line 63.
  await page.locator(`[data-testid=run] [data-step="${withdraw}"]`).click();
  await settled(page);
  const line = page.getByTestId('source').locator('[data-current=true]');
  await line.waitFor();
  assert.equal(await line.getAttribute('data-line'), '63');
  assert.match((await line.textContent()) ?? '', /withdraw\(80\)/);
  assert.match((await page.getByTestId('source').getAttribute('data-file')) ?? '', /bank\.erl$/);
  // The lane of a process begins where it was spawned, not at the top.
  await press(page, 'Home');
  await atStep(page, 0);
  const spawned = await page.locator('[data-testid=run] [data-step]').evaluateAll((all) => all.filter((one) => /spawn_link/.test(one.getAttribute('title') ?? '')).map((one) => Number((one as HTMLElement).dataset['step'])));
  assert.equal(spawned.length, 2, `two processes are spawned: ${spawned.join(', ')}`);
  await goTo(page, spawned[1] ?? 0);
  const lane = page.locator('[data-testid=diagram] line.life').last();
  const y = async (selector: string): Promise<number> => Number(await page.locator(selector).last().getAttribute('cy'));
  assert.ok(Number(await lane.getAttribute('y1')) > 0, 'the lane of <P.3> does not begin at the top');
  assert.equal(Number(await lane.getAttribute('y1')), await y('[data-testid=diagram] circle.birth'), 'it begins with a fork');
  assert.equal(await y(`[data-testid=diagram] circle[data-step="${spawned[1]}"]`), await y('[data-testid=diagram] circle.birth'), 'at the step that spawned it');
  await goTo(page, withdraw);
  // Two withdrawals wait in the mailbox of the bank one step later.
  const card = page.locator('[data-testid=card][data-member="<P.1/bank>"]');
  let most = 0;
  const last = Number((await page.getByTestId('scrubber').getAttribute('aria-valuemax')) ?? '0');
  for (let at = await step(page); at <= last; at += 1) {
    if ((await card.locator('h3 button').getAttribute('aria-expanded')) === 'false') await card.locator('h3 button').click();
    most = Math.max(most, await card.getByTestId('pending').filter({ hasText: 'withdraw' }).count());
    if (at < last) {
      await press(page, 'n');
      await atStep(page, at + 1);
    }
  }
  assert.equal(most, 2, 'two withdrawals in the mailbox');
  await goTo(page, withdraw + 1);
  if ((await card.locator('h3 button').getAttribute('aria-expanded')) === 'false') await card.locator('h3 button').click();
  assert.equal(await card.getByTestId('pending').filter({ hasText: 'withdraw' }).count(), 2, 'right after both have asked');
  // The other end of the race is one click away.
  await links.nth(0).click();
  await atStep(page, balance);
  assert.ok((await page.locator('[data-testid=diagram] [data-lane]').count()) >= 3);
});

const TABLE = ['debug', join(workspace, 'examples/models/philosophers.mcrl')];

scenario('process algebra: actions, and nothing more to do at the deadlock', ['check', TABLE[1] ?? '', '--debug'], async (page) => {
  await page.getByText('Nothing can happen any more').first().waitFor();
  // Who waits for whom is told and drawn.
  assert.equal(await page.getByTestId('circle').getByRole('listitem').count(), 6);
  assert.match((await page.locator('svg.ring').getAttribute('aria-label')) ?? '', /Philosopher\(p1\) waits for Fork\(p2\)/);
  await press(page, 'p');
  await settled(page);
  assert.ok((await page.getByTestId('chip').count()) > 0);
});

const lamp = join(scratch, 'lamp.aut');
writeFileSync(lamp, 'des (0, 3, 3)\n(0, "on", 1)\n(1, "off", 0)\n(1, "break", 2)\n');

scenario('a formula: the loop is drawn, its part is marked, and nothing is foretold', ['verify', lamp, '--formula', 'mu X. [true] X', '--debug'], async (page) => {
  assert.match((await page.getByTestId('formula').textContent()) ?? '', /mu X/);
  await page.getByTestId('lasso').waitFor();
  assert.ok((await page.locator('[data-testid=run] path.loop').count()) >= 2, 'the way back is in the run list');
  assert.equal(await page.locator('[data-testid=run] [data-mark~=violation]').count(), 1);
  for (const chip of await page.getByTestId('chip').all()) assert.equal(await chip.getAttribute('data-outlook'), 'unknown');
  await press(page, 'L');
  await page.getByTestId('notice').filter({ hasText: 'not formulas' }).waitFor();
  await page.locator('[data-testid=card][data-member=state]').getByText('State 0').waitFor();
});

scenario('a goal that was missed opens where its phase began', ['check', 'paxos', 'clients=2', '--guide', 'a forgotten promise', '--debug'], async (page) => {
  const why = (await page.getByTestId('why').textContent()) ?? '';
  assert.match(why, /No run reached the goal of/);
  assert.match(why, /holds nowhere within the phase/);
  assert.ok((await step(page)) > 0, 'after what the first phase did');
});

scenario('process algebra: an action changes the term', TABLE, async (page) => {
  const before = await page.locator('main').getAttribute('data-hash');
  const fields = await page.locator('[data-testid=card]').allTextContents();
  await page.locator('[data-testid=chip]:not([aria-disabled=true])').first().click();
  await atStep(page, 1);
  assert.notEqual(await page.locator('main').getAttribute('data-hash'), before);
  assert.notDeepEqual(await page.locator('[data-testid=card]').allTextContents(), fields);
});

const graph = join(scratch, 'ring.aut');
const edges = Array.from({ length: 40 }, (_, at) => `(${at}, "step ${at}", ${(at + 1) % 40})`);
writeFileSync(graph, `des (0, ${edges.length + 1}, 40)\n${edges.join('\n')}\n(0, "back", 20)\n`);

scenario('a transition system with the states around', ['debug', graph], async (page) => {
  const nodes = page.getByTestId('graph').locator('[data-node]');
  await nodes.first().waitFor();
  const count = await nodes.count();
  assert.ok(count >= 3 && count <= 200, `${count} nodes`);
  assert.equal(await page.getByTestId('graph').locator('[data-here=true]').count(), 1);
  await page.locator('[data-testid=chip]').first().click();
  await atStep(page, 1);
  assert.equal(await page.getByTestId('graph').locator('[data-here=true]').count(), 1);
});
