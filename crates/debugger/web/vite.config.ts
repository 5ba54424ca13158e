// How the page is built: one script and one style sheet with fixed names, so that the program can embed them by name.
import { defineConfig } from 'vite';
import { svelte } from '@sveltejs/vite-plugin-svelte';

export default defineConfig({
  base: './',
  plugins: [
    svelte({
      compilerOptions: { fragments: 'tree', css: 'external', runes: true },
      onwarn(warning) {
        throw new Error(`${warning.filename}: ${warning.message} (${warning.code})`);
      },
    }),
  ],
  build: {
    target: 'es2022',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: (asset) => (asset.names?.[0]?.endsWith('.css') ? 'app.css' : '[name][extname]'),
        codeSplitting: false,
      },
    },
  },
});
