import { verifyEvidence } from '@waiver-service/evidence';
import { createOverviews } from '@waiver-service/operations/data';
import type { StoreEvent } from '@waiver-service/store';
import { expect, test } from 'vitest';
import { newSigning, publishForm } from '../../src/testing/data.ts';
import { openOutbox, openTestStore } from '../setup/open-test-store.ts';

test('pools whose chains cannot be signed are told of, and do not keep another from being sealed', async () => {
  const notices: StoreEvent[] = [];
  const { store, query } = await openTestStore({ onNotice: (event) => notices.push(event) });
  await store.pools.put({ id: 'p1', name: 'One' });
  const form = await publishForm(store);
  await query(`
insert into evidence_chain (pool, public_key, private_key_encrypted, head)
select 'broken-' || n, '', 'v1:lost:', '' from generate_series(1, 60) n`);
  await query(
    `insert into signing (pool, id, form, form_version, language, content_hash, leaf, received_at)
    select 'broken-' || n, 's' || m, $1, 1, 'en', '', sha256(m::text::bytea), now() - interval '1 hour'
    from generate_series(1, 60) n, generate_series(1, 10) m`,
    [form],
  );
  await store.signings.store(newSigning(form, [{ name: 'Ann' }]));
  await expect
    .poll(() => query(`select sequence::integer from signing where pool = 'p1'`))
    .toEqual([{ sequence: 1 }]);
  expect(notices).toEqual([
    {
      kind: 'background-job-failed',
      message: expect.stringMatching(/^sealing signed records: pool broken-\d+: .*the key "lost"/),
    },
  ]);
});

test('the root of a day is made once, waits for its stamp, and is in the evidence then', async () => {
  const { store, query } = await openOutbox();
  const { roots } = store.signings;
  await roots.make();
  expect(await roots.takeDue()).toBeUndefined();
  const signing = newSigning(await publishForm(store), [{ name: 'Ann' }]);
  await store.signings.store(signing);
  const figures = () => createOverviews(store.context).readFigures();
  await expect.poll(async () => (await figures()).sealingDelaySeconds).toBe(0);
  await Promise.all([1, 2, 3].map(() => roots.make()));
  const due = await roots.takeDue();
  expect(due).toEqual({
    day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    root: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect(await roots.takeDue()).toBeUndefined();
  await roots.recordFailure(due?.day ?? '', 'no answer');
  expect(await query('select attempts, failure from evidence_root')).toEqual([
    { attempts: 1, failure: 'no answer' },
  ]);
  expect((await figures()).unstampedDays).toBe(1);
  await roots.recordStamp(due?.day ?? '', Buffer.from('a token'), new Date());
  expect((await figures()).unstampedDays).toBe(0);
  const evidence = await store.signings.evidence('p1', `${signing.id}-1`);
  expect(evidence?.file.stamp).toMatchObject({
    root: due?.root,
    token: Buffer.from('a token').toString('base64'),
  });
  const findings = verifyEvidence(JSON.stringify(evidence?.file));
  // The token is none; everything that leads to the root is right.
  expect(findings.filter(({ status }) => status === 'changed').map(({ sentence }) => sentence)).toHaveLength(
    1,
  );
});
