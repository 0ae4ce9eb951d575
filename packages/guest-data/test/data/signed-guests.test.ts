import { verifyEvidence } from '@waiver-service/evidence';
import { newSigning, publishForm } from '@waiver-service/signing/testing/data';
import { testKey } from '@waiver-service/store/testing';
import { expect, test } from 'vitest';
import { openOutbox, type TestedStore } from '../setup/open-outbox.ts';

const family = [
  { name: 'planted Ann', bookingGuestId: 'g1' },
  { name: 'planted Ben', bookingGuestId: 'g2', health: 'planted asthma' },
  { name: 'planted Cleo' },
];

async function open(keys = [testKey()]) {
  const opened = await openOutbox({ keys });
  return { ...opened, keys, form: await publishForm(opened.store) };
}

/** The verifier's report on a waiver's signing, once it is sealed and has so many later records. */
async function verified(store: TestedStore, waiver: string, later = 0) {
  await expect.poll(async () => (await store.signings.evidence('p1', waiver))?.file.later.length).toBe(later);
  await expect.poll(async () => (await store.signings.ofWaiver('p1', waiver))?.isSealed).toBe(true);
  const evidence = await store.signings.evidence('p1', waiver);
  const findings = verifyEvidence(JSON.stringify(evidence?.file));
  return (status: string) =>
    findings.filter((each) => each.status === status).map(({ sentence }) => sentence);
}

test('an erased child takes no proof from the others of the family; with the last, only hashes are left', async () => {
  const { store, form, query } = await open();
  const signing = newSigning(form, family);
  await store.signings.store(signing);
  await verified(store, `${signing.id}-1`);
  const texts = async () =>
    JSON.stringify(
      await query(`
        select body from signing_entry union all select body from signing_part
        union all select encode(data, 'escape') from signing_photo union all select body_encrypted from signing_entry`),
    );
  const erased = async (waivers: number) =>
    expect
      .poll(() => query(`select count(*)::integer as left from signing_waiver`))
      .toEqual([{ left: waivers }]);

  await store.guests.erasures.request('p1', { waiverId: `${signing.id}-2` }, 'Ada');
  await erased(2);
  expect(await texts()).not.toContain('planted Ben');
  expect(await texts()).toContain('planted Ann');
  expect(await query('select body_encrypted from signing_entry where body_encrypted is not null')).toEqual(
    [],
  );
  const rest = await verified(store, `${signing.id}-1`, 1);
  expect(rest('changed')).toEqual([]);
  expect(rest('erased').length).toBeGreaterThan(0);

  await store.guests.erasures.request('p1', { waiverId: `${signing.id}-1` }, 'Ada');
  await store.guests.erasures.request('p1', { waiverId: `${signing.id}-3` }, 'Ada');
  await erased(0);
  expect(await query('select from signing_part where salt is not null')).toEqual([]);
  expect(await query('select from signing_entry where salt is not null')).toEqual([]);
  expect(await query('select from signing_photo where data is not null')).toEqual([]);
});

test('the export of a child has what was signed for them, and nothing of the others of the family', async () => {
  const { store, form } = await open();
  const signing = newSigning(form, family);
  await store.signings.store(signing);
  const exported = store.guests.export('p1', { waiverId: `${signing.id}-2` });
  const { value } = await exported.next();
  const text = JSON.stringify(value?.evidence);
  expect(text).toContain('planted Ben');
  expect(text).toContain('planted asthma');
  expect(text).not.toContain('planted Ann');
  expect(text).not.toContain('planted Cleo');
});
