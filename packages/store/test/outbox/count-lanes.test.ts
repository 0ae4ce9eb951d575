import { expect, test } from 'vitest';
import { claimAll, waiver } from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

test('lanes with something to send are counted by kind, and by whether they wait, are sent or are held', async () => {
  const { store } = await openOutbox();
  expect(await store.outbox.countLanes()).toEqual([]);
  for (const id of ['w1', 'w2']) await store.waivers.create(waiver({ id }));
  // A further version waits in the same lane.
  await store.waivers.update('p1', 'w1', { currentPage: 'two' });
  const counts = async () =>
    (await store.outbox.countLanes()).toSorted((a, b) => a.kind.localeCompare(b.kind));
  expect(await counts()).toEqual([
    { kind: 'guest-update', state: 'waiting', lanes: 2 },
    { kind: 'guest-webhook', state: 'waiting', lanes: 2 },
  ]);
  const { items } = await store.destinations.list({ limit: 10 });
  const [update, hook] = items;
  await store.outbox.hold([{ destination: update?.id ?? '', holdMs: 60_000 }]);
  expect((await claimAll(store)).map(({ destination }) => destination)).toEqual([hook?.id, hook?.id]);
  expect(await counts()).toEqual([
    { kind: update?.kind, state: 'held', lanes: 2 },
    { kind: hook?.kind, state: 'sending', lanes: 2 },
  ]);
});
