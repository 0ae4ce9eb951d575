import { verifyEvidence } from '@waiver-service/evidence';
import { createOverviews } from '@waiver-service/operations/data';
import { expect, test } from 'vitest';
import { newSigning, publishForm } from '../../src/testing/new-signing.ts';
import { openOutbox } from '../setup/open-test-store.ts';

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
