import type { ClaimedDelivery } from '@waiver-service/outbox';
import type { NewWaiver } from '@waiver-service/waivers';
import { expect, test } from 'vitest';
import {
  claimAll,
  claimProbes,
  deliver,
  finish,
  guestUpdate,
  install,
  lose,
  refuse,
  waiver,
} from '../../src/testing/outbox-fixture.ts';
import { openOutbox, standard } from '../setup/open-test-store.ts';

const answers = { name: 'Ann', height: 170, feedback: 'lovely' };
const signed = (given: Partial<NewWaiver> = {}) => waiver({ id: 'w1', answers, ...given });
const inside = ({ body }: Pick<ClaimedDelivery, 'body'>) => {
  const { waiver: update, guest } = JSON.parse(body);
  return update ?? guest;
};

/** A store whose installation and webhook share the name and the height. */
async function openSharing() {
  const opened = await openOutbox();
  const { store } = opened;
  const webhookId = opened.endpoint?.endpoint.id ?? '';
  const share = async (names: string[]) => {
    await store.installations.share({ ...standard, shareProperties: names, allowedBy: 'a test' });
    await store.webhooks.update('p1', webhookId, { properties: names });
  };
  await share(['name', 'height']);
  return { ...opened, share };
}

test.each([
  ['refused', refuse],
  ['in doubt', lose],
])(
  'a property that is no longer shared is in no later attempt of a body that was %s; all else is unchanged',
  async (_, end) => {
    const { store, share } = await openSharing();
    await store.waivers.create(signed());
    const first = await claimAll(store);
    expect(first.map(inside)).toMatchObject([answers, answers].map(({ name, height }) => ({ name, height })));
    await share(['name']);
    for (const claimed of first) await end(store, claimed);
    const again = await claimAll(store);
    expect(again).toHaveLength(2);
    for (const claimed of again) {
      const former = first.find(({ id }) => id === claimed.id);
      const { height, ...rest } = inside(former ?? claimed);
      expect(height).toBe(170);
      expect(inside(claimed)).toEqual(rest);
    }
    // And where it is shared again, it goes again: the lists of this moment count.
    for (const claimed of again) await refuse(store, claimed);
    await share(['name', 'height']);
    for (const claimed of await claimAll(store)) expect(inside(claimed)).toMatchObject({ height: 170 });
  },
);

test('a delivery that waits is shown as the next attempt would send it', async () => {
  const { store, share } = await openSharing();
  await store.waivers.create(signed());
  await share([]);
  const { items } = await store.deliveries.list({}, { limit: 10 });
  expect(items).toHaveLength(2);
  for (const { id } of items) {
    const shown = await store.deliveries.get(id);
    expect(inside(shown ?? { body: '{}' })).not.toHaveProperty('height');
  }
});

test('a probe and a dead letter that is sent again obey the lists of that moment, too', async () => {
  const { store, share, query } = await openSharing();
  await store.waivers.create(signed());
  for (const claimed of await claimAll(store)) await finish(store, claimed, { kind: 'dead' });
  await share(['name']);
  for (const { id } of (await store.deliveries.list({}, { limit: 10 })).items)
    await store.deliveries.retry(id);
  const [again] = await claimAll(store, 1);
  expect(inside(again ?? { body: '{}' })).not.toHaveProperty('height');
  await query(`update destination set status = 'paused', paused_by = 'failures', next_probe_at = now()`);
  const probes = await claimProbes(store, 1_000);
  expect(probes.length).toBeGreaterThan(0);
  for (const probe of probes) expect(inside(probe)).not.toHaveProperty('height');
});

test.each([
  ['refused', refuse],
  ['in doubt', lose],
])(
  'an answer that was removed while an attempt of it was under way is in no later attempt: the attempt was %s',
  async (_, end) => {
    const { store } = await openSharing();
    await store.waivers.create(signed());
    const first = await claimAll(store);
    await store.waivers.update('p1', 'w1', { answers: { height: null, feedback: null } });
    for (const claimed of first) await end(store, claimed);
    const again = await claimAll(store);
    expect(again).toHaveLength(2);
    for (const claimed of again) {
      expect(inside(claimed)).not.toHaveProperty('height');
      expect(inside(claimed)).toMatchObject({ id: 'w1', name: 'Ann' });
      if (claimed.kind === 'guest-webhook') expect(inside(claimed).feedback).toBe('');
      const former = first.find(({ id }) => id === claimed.id);
      // A body that may have arrived is sent again before anything newer, with the same `updatedAt`.
      expect(former !== undefined).toBe(end === lose);
      if (former !== undefined) expect(inside(claimed).updatedAt).toBe(inside(former).updatedAt);
    }
  },
);

test('an answer removed with a move, or after it, is not in the message that takes the record back from its former booking', async () => {
  const { store } = await openSharing();
  await store.waivers.create(signed());
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  await store.waivers.update('p1', 'w1', { bookingId: 'b2', answers: { height: null } });
  const takeback = guestUpdate(await claimAll(store));
  expect(inside(takeback)).toMatchObject({ bookingId: 'b1', deleted: true, name: 'Ann' });
  expect(inside(takeback)).not.toHaveProperty('height');
  await deliver(store, takeback);
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  await store.waivers.update('p1', 'w1', { answers: { name: null } });
  for (const claimed of await claimAll(store)) await deliver(store, claimed);
  // It is the newest that went to that booking: a person may have it sent again.
  await store.deliveries.retry(takeback.id);
  const again = guestUpdate(await claimAll(store));
  expect(again.id).toBe(takeback.id);
  expect(inside(again)).not.toHaveProperty('name');
});

test('a body that was planned by a list which shrank before it was stored obeys the shorter one', async () => {
  const { store, query, share } = await openSharing();
  await share([]);
  await store.waivers.create(signed());
  // As a change has it that read the lists a moment before.
  await query(`update delivery set permission_version = permission_version - 1,
    body = replace(body, '"deleted":false', '"deleted":false,"height":170')`);
  const claimed = await claimAll(store);
  expect(claimed).toHaveLength(2);
  for (const each of claimed) {
    expect(inside(each)).not.toHaveProperty('height');
    expect(inside(each)).toMatchObject({ deleted: false });
  }
});

test('the usual list, and one that grows, do not change bodies', async () => {
  const { store, query, share } = await openSharing();
  const versions = () => query('select permission_version from destination order by id');
  const before = await versions();
  await share(['name', 'height', 'howHeard']);
  await install(store);
  expect(await versions()).toEqual(before);
  await share(['howHeard']);
  expect(await versions()).not.toEqual(before);
});

test('a permission for the signed document that ends is withdrawn as one for an answer is', async () => {
  const { store, query } = await openSharing();
  const versions = async (shareDocument: boolean) => {
    const change = { ...standard, shareDocument, allowedBy: 'a test' };
    expect(await store.installations.share(change)).toMatchObject({
      shareDocument,
      shareProperties: ['name', 'height'],
    });
    const [row] = await query(
      "select permission_version::integer as version from destination where kind = 'guest-update'",
    );
    return Number(row?.version);
  };
  const before = await versions(true);
  expect(await versions(false)).toBe(before + 1);
});
