// A host as `npm start` runs it, but with shorter retention than settings allow.
import { setTimeout as wait } from 'node:timers/promises';
import { createHost, readSettings } from '@waiver-service/host';

const retention = Number(process.env.SOAK_RETENTION_MS);
const host = await createHost({
  ...readSettings(process.env),
  attemptRetention: retention,
  deliveryRetention: retention,
  deadRetention: retention,
  pruneInterval: Number(process.env.SOAK_PRUNE_INTERVAL_MS),
});
const drainMs = 2_000;

process.once('SIGTERM', async () => {
  host.drain();
  await wait(drainMs);
  await host.close();
  process.exit(0);
});
process.stdout.write(`listening on ${host.url}\n`);
