// The page stays small: what is sent, minified and compressed with brotli, is at most 120 kB; from 100 kB on this warns.

import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';

const folder = process.argv[2] ?? 'dist';
const sizes = ['app.js', 'app.css'].map((name) => brotliCompressSync(readFileSync(`${folder}/${name}`)).length);
const total = sizes.reduce((sum, size) => sum + size, 0);
console.log(`web: ${(total / 1000).toFixed(1)} kB of 120 kB (brotli)`);
if (total > 100_000) console.warn('web: the page grows large');
if (total > 120_000) process.exit(1);
