import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

// The host to develop against: `npm run demo`, or a running host.
const host = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  resolve: { conditions: ['@waiver-service/source', ...defaultClientConditions] },
  build: {
    // Inlined images would need `data:` in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // The polyfill would be an inline script for browsers that are too old for the rest.
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/v1': host, '/console/api': host, '/check-in': host } },
});
