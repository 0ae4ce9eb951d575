import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

// The host to develop against: `npm run demo`, or a running host.
const host = 'http://127.0.0.1:8080';

/** Compresses scripts and styles once, at build time; the host sends them so. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const name of Object.keys(bundle)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const path = join(dir, name);
      writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path)));
    }
  },
});

export default defineConfig({
  base: '/console/',
  plugins: [react(), compressed()],
  build: {
    // Inlined images would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script for browsers that are too old for the rest.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': host, '/console/api': host } },
});
