import { defaultClientConditions, defineConfig } from 'vite';

// The host to develop against: `npm run demo`, or a running host.
const host = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/check-in/',
  resolve: { conditions: ['@waiver-service/source', ...defaultClientConditions] },
  build: {
    // Guests bring phones that are some years old.
    target: ['chrome100', 'firefox100', 'safari15.4'],
    assetsInlineLimit: 0,
    // The polyfill would be an inline script for browsers that are too old for the rest.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/check-in/api': host } },
});
