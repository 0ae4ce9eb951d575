// A host, as far as migrations are concerned: opens the store and ends.
import { openStore } from '../../src/index.ts';

const store = await openStore({
  databaseUrl: process.argv[2] ?? '',
  encryptionKeys: [{ id: 'test', key: Buffer.from(process.argv[3] ?? '', 'hex') }],
});
const { isReady } = await store.ready();
await store.close();
process.exit(isReady ? 0 : 1);
