import { connect } from '@waiver-service/contract-suite';
import { expect, onTestFinished, test } from 'vitest';
import { peekBooking, startPeek } from '../simulator/index.ts';
import peek from '../src/index.ts';

test('nothing is written: Peek does not say what an update does to what it leaves out', () => {
  expect(peek.pushWaiver).toBeUndefined();
  expect(peek.capabilities).toMatchObject({ guestUpdate: false, takes: [], void: false });
});

test('keys for tests and others are sent to one address', () => {
  const account = { accountId: 'a', apiKey: 'k' };
  expect(peek.url?.({ settings: {}, account, purpose: 'read' })).toBe(
    'https://octo.peek.com/integrations/octo',
  );
});

test('over real HTTP, a hold that has expired is no booking any more, as Peek says', async () => {
  const system = await startPeek({ apiKey: 'peek-key-1' });
  onTestFinished(() => system.close());
  const { read } = connect(peek, { baseUrl: system.url, account: { apiKey: 'peek-key-1' } });
  expect((await read(peekBooking.uuid)).booking.pax).toBe(5);
  system.put({ ...peekBooking, status: 'EXPIRED' });
  await expect(read(peekBooking.uuid)).rejects.toMatchObject({ code: 'booking_not_found' });
});
