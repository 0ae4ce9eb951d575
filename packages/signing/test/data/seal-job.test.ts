import type { StoreEvent } from '@waiver-service/store';
import { expect, test } from 'vitest';
import { newSigning, publishForm } from '../../src/testing/new-signing.ts';
import { openTestStore } from '../setup/open-test-store.ts';

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
