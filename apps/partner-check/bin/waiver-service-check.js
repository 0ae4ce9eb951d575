#!/usr/bin/env node
// For `npx waiver-service-check`: inserts the word `check`.
process.argv.splice(2, 0, 'check');
await import('./waiver-service.js');
