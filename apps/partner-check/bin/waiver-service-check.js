#!/usr/bin/env node
// The bin that `npx waiver-service-check` runs: `waiver-service check` without repeating the word.
process.argv.splice(2, 0, 'check');
await import('./waiver-service.js');
