// Saving the program's file while its run is on the page.

import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isIdle, open, ready, scratch, serve, step, workspace } from './harness.ts';

const file = join(scratch, 'bank.erl');
const text = readFileSync(join(workspace, 'examples/bank.erl'), 'utf8');

/** As editors save: the file is never half written. */
function save(content: string): void {
  writeFileSync(`${file}.draft`, content);
  renameSync(`${file}.draft`, file);
}

test('saving the file says what became of the bug', async () => {
  save(text);
  const program = await serve(['check', file, '-t', 'race_test', '--after-timeout', '5000', '--debug', '--watch']);
  const { page, context, errors } = await open(program.url);
  await ready(page);
  const saved = Date.now();
  save(text.replace('balance() >= 80', 'balance() >= 200'));
  const alert = page.locator('[role=alert]').filter({ hasText: 'no longer possible' });
  await alert.waitFor();
  const took = Date.now() - saved;
  if (isIdle()) assert.ok(took < 1_000, `${took} ms`);
  await alert.filter({ hasText: 'Nothing goes wrong from there any more' }).waitFor();
  // What no longer applies is kept, struck through.
  assert.ok((await page.locator('[data-testid=run] .struck').count()) > 0);
  assert.ok((await step(page)) > 0, 'as far as the run still goes');
  assert.deepEqual(errors, []);
  await context.close();
  await program.stop();
});
