// Bundles the TypeScript tests (Node 20 does not strip types) and runs them with Node's own runner.
// `node tests/run.mjs unit`, `node tests/run.mjs browser [NAME …]`.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = dirname(fileURLToPath(import.meta.url));
const [kind = 'unit', ...names] = process.argv.slice(2);
const folder = join(here, kind);
const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts') && (names.length === 0 || names.some((part) => name.includes(part))));
if (files.length === 0) {
  console.error(`no tests in ${folder}`);
  process.exit(1);
}
// Below node_modules, so that packages are found from there.
const around = join(here, '..', 'node_modules', '.tests');
mkdirSync(around, { recursive: true });
const out = mkdtempSync(join(around, `${kind}-`));
try {
  const bundle = await rolldown({
    input: Object.fromEntries(files.map((name) => [name.replace(/\.ts$/, ''), join(folder, name)])),
    platform: 'node',
    external: [/^node:/, 'playwright-core', 'axe-core'],
    resolve: { modules: [join(here, '..', 'node_modules')] },
  });
  await bundle.write({ dir: out, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs', sourcemap: 'inline' });
  const tests = files.map((name) => join(out, name.replace(/\.ts$/, '.mjs')));
  const result = spawnSync(process.execPath, ['--enable-source-maps', '--test', '--test-concurrency=1', ...tests], {
    stdio: 'inherit',
    env: { ...process.env, FORESEE_PAGE_FOLDER: join(here, '..') },
  });
  process.exitCode = result.status ?? 1;
} finally {
  rmSync(out, { recursive: true, force: true });
}
