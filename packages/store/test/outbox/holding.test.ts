import { expect, test } from 'vitest';
import {
  claimAll,
  claimOne,
  claimProbes,
  claimShares,
  findWork,
  refuse,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox } from '../setup/open-outbox.ts';

test('a held destination is neither claimed nor probed; a shorter hold does not shorten a longer one', async () => {
  const { store, query } = await openOutbox();
  await store.waivers.create(waiver({ id: 'w1' }));
  const { items } = await store.destinations.list({ limit: 10 });
  const held = items.find(({ kind }) => kind === 'guest-update');
  const destination = held?.id ?? '';
  await store.outbox.hold([
    { destination, holdMs: 60_000 },
    { destination, holdMs: 90_000 },
  ]);
  await store.outbox.hold([{ destination, holdMs: 1_000 }]);
  const heldUntil = (await store.destinations.get(destination))?.heldUntil?.getTime() ?? 0;
  expect(heldUntil - Date.now()).toBeGreaterThan(80_000);
  expect(heldUntil - Date.now()).toBeLessThanOrEqual(90_000);
  expect((await findWork(store)).work.map((work) => work.destination)).not.toContain(destination);
  const shares = items.map(({ id }) => ({ destination: id, slots: 5 }));
  const claimed = await claimShares(store, shares, { limit: 10 });
  expect(claimed.map(({ kind }) => kind)).toEqual(['guest-webhook']);

  const probe = () => claimProbes(store, 10);
  await query(
    `update destination set status = 'paused', paused_by = 'failures', next_probe_at = now() where id = $1`,
    [destination],
  );
  expect(await probe()).toEqual([]);
  await query(`update destination set held_until = now() where id = $1`, [destination]);
  expect(await store.destinations.get(destination)).not.toHaveProperty('heldUntil');
  expect(await probe()).toMatchObject([{ waiverId: 'w1', trigger: 'probe' }]);
});

test('a hold outlives a person’s pause, and ends with a resume', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const [destination] = (await store.destinations.list({ limit: 1 })).items;
  const id = destination?.id ?? '';
  await store.outbox.hold([{ destination: id, holdMs: 60_000 }]);
  expect(await store.destinations.pause(id)).toHaveProperty('heldUntil');
  expect(await claimAll(store)).toEqual([]);
  await store.destinations.resume(id);
  expect(await claimAll(store)).toHaveLength(1);
});

test('a resume makes waiting messages due at once', async () => {
  const { store } = await openOutbox({ webhook: false });
  await store.waivers.create(waiver());
  const refused = await claimOne(store);
  await refuse(store, refused, 3_600_000);
  expect(await claimAll(store)).toEqual([]);
  await store.destinations.resume(refused.destination);
  expect(await claimOne(store)).toMatchObject({ id: refused.id });
});
