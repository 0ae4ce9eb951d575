import { expect, test } from 'vitest';
import { openOutbox } from '../setup/outbox-fixture.ts';

const policy = { pauseAfterMs: 86_400_000, probeIntervalMs: 3_600_000 };

test('the first success of a destination that never failed is there for the operator to see', async () => {
  const { store } = await openOutbox({ webhook: false });
  const [destination] = (await store.destinations.list({ limit: 10 })).items;
  const taken = { destination: destination?.id ?? '', succeeded: true, failures: 0, gone: false };
  await store.outbox.recordHealth([taken], policy);
  const [installation] = await store.installations.list('p1');
  expect(installation?.lastSuccessAt).toBeInstanceOf(Date);
});
