import { prepareCheckIn, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { startGuestDataHost } from '../setup/guest-data-host.ts';

test('a sealed record says which of its guests are erased, and names them no more', async () => {
  const checkIn = await prepareCheckIn(startGuestDataHost());
  onTestFinished(() => checkIn.close());
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(['1990-02-28', '2014-05-06']);
  await guest('POST', '/check-in/api/signings', signing);
  const path = `/v1/admin/pools/rafting/waivers/${signing.id}-2/signing`;
  const erasures = '/v1/admin/pools/rafting/erasures';
  await checkIn.host.admin('POST', erasures, { waiverId: `${signing.id}-1` });
  const after = await until(async () => {
    const answer = await checkIn.host.admin('GET', path);
    const found: { status: string }[] = answer.body.seal.findings;
    return found.some(({ status }) => status === 'erased') ? answer : undefined;
  }, 'an erasure in the chain');
  expect(after.body.guests).toEqual([{ name: null }, { name: 'Zoë Bäcker' }]);
  const gone = await checkIn.host.admin('GET', path.replace('-2/', '-1/'));
  expect([gone.status, gone.body.code]).toEqual([410, 'waiver_erased']);
});
