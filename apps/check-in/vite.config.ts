import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';

// The host to develop against: `npm run demo`, or a running host.
const host = 'http://127.0.0.1:8080';

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Tells the service worker which files the page has: their names contain hashes of their contents. */
const precache: Plugin = {
  name: 'precache',
  apply: 'build',
  writeBundle({ dir = '' }) {
    const files = globSync('{assets/*,*.svg,*.webmanifest}', { cwd: dir }).toSorted();
    const page = sha256(readFileSync(join(dir, 'index.html')));
    const contents = files.map((file) => sha256(readFileSync(join(dir, file))));
    const version = sha256([page, ...files, ...contents].join(' ')).slice(0, 16);
    const list = { version, page, files: files.map((file) => `/check-in/${file}`) };
    const worker = join(dir, 'service-worker.js');
    writeFileSync(worker, `const precache = ${JSON.stringify(list)};\n${readFileSync(worker, 'utf8')}`);
  },
};

export default defineConfig({
  base: '/check-in/',
  plugins: [precache],
  resolve: { conditions: ['@waiver-service/source', ...defaultClientConditions] },
  build: {
    // Guests bring phones that are some years old.
    target: ['chrome100', 'firefox100', 'safari15.4'],
    assetsInlineLimit: 0,
    // The polyfill would be an inline script for browsers that are too old for the rest.
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: 'index.html', 'service-worker': 'src/service-worker/service-worker.ts' },
      output: {
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
      },
    },
  },
  server: { proxy: { '/check-in/api': host } },
});
