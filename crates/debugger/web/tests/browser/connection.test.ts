// The program goes away and comes back; strangers stay outside; text stays text.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { atStep, goTo, open, press, ready, scenario, scratch, serve, settled, until } from './harness.ts';

const FORGETFUL = ['check', 'paxos', 'clients=2', 'bug=forgetful', '--debug'];

test('the program stops and comes back', async () => {
  const first = await serve(FORGETFUL);
  const { page, context } = await open(first.url);
  await ready(page);
  await goTo(page, 9);
  await press(page, 's');
  const notice = page.getByTestId('notice').filter({ hasText: 'Saved as' });
  await notice.waitFor();
  const file = /Saved as (\S+)\./.exec((await notice.textContent()) ?? '')?.[1] ?? '';
  const { port } = first;
  await first.stop('SIGKILL');
  await page.locator('[role=alert]').filter({ hasText: 'stopped answering' }).waitFor({ timeout: 4_000 });
  for (const one of await page.getByTestId('chip').all()) assert.equal(await one.getAttribute('aria-disabled'), 'true');
  await page.getByTestId('run').evaluate((list) => {
    list.scrollTop = 40;
  });
  const again = await serve(['debug', file.startsWith('/') ? file : `${scratch}/${file}`], port);
  await page.locator('[role=alert]').waitFor({ state: 'detached' });
  await atStep(page, 9);
  await press(page, 'n');
  await atStep(page, 10);
  await context.close();
  await again.stop();
});

test('a program that ends says so', async () => {
  const program = await serve(FORGETFUL);
  const { page, context } = await open(program.url);
  await ready(page);
  await program.stop('SIGTERM');
  await page.locator('[role=alert]').filter({ hasText: /has ended|stopped answering/ }).waitFor();
  await context.close();
});

test('a wrong token is refused in words', async () => {
  const program = await serve(FORGETFUL);
  const { page, context } = await open(program.url.replace(/#t=.*/, '#t=wrong'));
  await page.locator('[role=alert]').filter({ hasText: 'token' }).waitFor();
  assert.equal(await page.getByTestId('chip').count(), 0);
  await context.close();
  await program.stop();
});

type Asked = { path?: string; host?: string; origin?: string };

function status(port: number, { path = '/', host, origin }: Asked): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers: Record<string, string> = { host: host ?? `127.0.0.1:${port}` };
    if (origin !== undefined) headers['origin'] = origin;
    if (path.startsWith('/api')) Object.assign(headers, { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' });
    const asked = request({ port, host: '127.0.0.1', path, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    asked.on('error', reject);
    asked.end();
  });
}

test('strangers, other paths and huge frames', async () => {
  const program = await serve(FORGETFUL);
  const { port } = program;
  assert.equal(await status(port, {}), 200);
  assert.equal(await status(port, { host: 'evil.test' }), 421);
  assert.equal(await status(port, { path: '/api/1/ws', origin: 'http://evil.test' }), 403);
  assert.equal(await status(port, { path: '/../../etc/passwd' }), 404);
  const { page, context } = await open(program.url);
  await ready(page);
  const code = await page.evaluate(
    (url) =>
      new Promise<number>((resolve) => {
        const socket = new WebSocket(url);
        socket.onopen = () => socket.send(`{"id":1,"do":"hello","token":"${'x'.repeat(2 * 1024 * 1024)}"}`);
        socket.onclose = (event) => resolve(event.code);
      }),
    `ws://127.0.0.1:${port}/api/1/ws`,
  );
  assert.ok(code === 1009 || code === 1006, `closed with ${code}`);
  await press(page, 'p');
  await atStep(page, 16);
  await context.close();
  await program.stop();
});

scenario('a payload that looks like markup is text', ['debug', 'markup'], async (page) => {
  await page.locator('[data-testid=chip]').first().click();
  await atStep(page, 1);
  await settled(page);
  await page.locator('[data-testid=chip]').first().click();
  await atStep(page, 2);
  await page.locator('[data-testid=card]').getByText('<img src=x').first().waitFor();
  assert.equal(await page.evaluate(() => (window as unknown as { ran?: boolean }).ran ?? false), false);
  assert.equal(await page.locator('img').count(), 0);
  await until('the run list shows it as text', async () => ((await page.getByTestId('run').textContent()) ?? '').includes('<img'));
});
