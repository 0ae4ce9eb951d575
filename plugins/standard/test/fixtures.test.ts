import { readFile } from 'node:fs/promises';
import { connect } from '@waiver-service/contract-suite';
import nock from 'nock';
import { expect, test } from 'vitest';
import plugin from '../src/index.ts';

async function readFixture(name: string, bookingId = 'RSV-30817', changes: object = {}) {
  const body = JSON.parse(await readFile(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
  nock('https://booking.example')
    .get(`/bookings/${bookingId}`)
    .query(true)
    .reply(200, { ...body, ...changes });
  return connect(plugin, { baseUrl: 'https://booking.example' }).read(bookingId);
}

test('both forms yield the same booking, without a warning', async () => {
  const current = await readFixture('current');
  const legacy = await readFixture('legacy');
  expect([current.form, legacy.form]).toEqual(['current', 'legacy']);
  expect(legacy.booking).toEqual(current.booking);
  expect([...current.warnings, ...legacy.warnings]).toEqual([]);
});

test('deviations from the contract are tolerated, with warnings', async () => {
  const { booking, warnings } = await readFixture('tolerated', '30817');
  expect(booking).toEqual({
    id: '30817',
    status: 'Active',
    contact: { name: 'Noor Haddad', phoneNumber: '31205550142' },
    pax: 3,
    guests: [{ id: '1' }, { id: 'g-2', name: 'Sam de Wit' }],
    bookedSessions: [{ startsAt: '2027-06-14T08:00:00Z', activityId: '7', activityName: 'Morning rafting' }],
  });
  expect(new Set(warnings.map(({ code }) => code))).toEqual(
    new Set([
      'number_as_string',
      'null_as_absent',
      'string_as_number',
      'date_time_rewritten',
      'session_incomplete',
      'guest_without_name',
    ]),
  );
});

test('unknown fields of a booking that deviates are kept; its id must say something', async () => {
  const { booking } = await readFixture('tolerated', '30817', { vessel: { name: 'Petrel' } });
  expect(booking).toMatchObject({ vessel: { name: 'Petrel' } });
  await expect(readFixture('tolerated', '30817', { id: '' })).rejects.toMatchObject({
    issues: [{ path: 'id' }],
  });
});

test('the current form goes before the legacy one', async () => {
  const fetched = await readFixture('current', 'RSV-30817', { startsAt: '2020-01-01T00:00:00Z' });
  expect(fetched.form).toBe('current');
  expect(fetched.warnings.map(({ code }) => code)).toEqual(['both_forms']);
});
