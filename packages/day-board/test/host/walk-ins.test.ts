import { verifyEvidence } from '@waiver-service/evidence';
import { makeLink, prepareCheckIn, until } from '@waiver-service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDayHost } from '../setup/day-host.ts';

const checkIn = await prepareCheckIn(startDayHost());
afterAll(() => checkIn.close());
const adult = '1990-02-28';
const child = '2014-05-06';
const pool = '/v1/admin/pools/rafting';
const placeOf = (waiver: string) => `${pool}/waivers/${waiver}/booking`;
// Today wherever the pool is: what is signed at the desk is valid for the visit.
const startsAt = new Date().toISOString();
const session = { startsAt, endsAt: startsAt, activityId: 'raft', activityName: 'Rafting' };

/** Guests sign at the desk. @returns the ids of their waivers */
async function walkIn(...born: string[]): Promise<string[]> {
  const guest = await checkIn.guest({ desk: true });
  const signing = checkIn.signing(born);
  expect((await guest('POST', '/check-in/api/signings', signing)).status).toBe(201);
  return born.map((_, index) => `${signing.id}-${index + 1}`);
}

async function today() {
  // The day of the pool's clocks is not always that of UTC.
  const { body } = await checkIn.host.admin('GET', `${pool}/days/2027-06-12`);
  return (await checkIn.host.admin('GET', `${pool}/days/${body.today}`)).body;
}

const guestUpdates = (waiver: string) =>
  checkIn.system.received
    .filter(({ route, body }) => route === 'guest-update' && body.includes(waiver))
    .map(({ body }) => JSON.parse(body.toString()).waiver);

const untilSent = (waiver: string, count: number) =>
  until(async () => {
    const updates = guestUpdates(waiver);
    return updates.length >= count ? updates : undefined;
  }, `${count} Guest Updates`);

beforeAll(() => {
  for (const id of ['BK-A', 'BK-B', 'BK-C']) {
    checkIn.system.bookings.add({
      id,
      status: 'Active',
      contact: { name: 'Ann Booker' },
      pax: 3,
      guests: [
        { id: 'G-1', name: 'Ann' },
        { id: 'G-2', name: 'Ida' },
        { id: 'G-3', name: 'Bob' },
      ],
      bookedSessions: [session],
    });
  }
});

describe('a waiver that was signed at the desk', () => {
  test('is on the board of its day, beside those that were signed together', async () => {
    const [parent, kid] = await walkIn(adult, child);
    const { walkIns } = await today();
    const found = walkIns.filter(({ waiverId }: { waiverId: string }) => [parent, kid].includes(waiverId));
    expect(found).toHaveLength(2);
    expect(found[0].signing).toBe(found[1].signing);
    expect(found[0].signing).not.toBeNull();
  });

  test('is attached to a booking with the others of its family, and its booking system is told', async () => {
    const [parent = '', kid = ''] = await walkIn(adult, child);
    const body = {
      bookingId: 'BK-A',
      bookingGuestId: 'G-1',
      together: [{ id: kid, bookingGuestId: 'G-2' }],
    };
    const attached = await checkIn.host.admin('PUT', placeOf(parent), body);
    expect(attached.status).toBe(200);
    expect(attached.body.waivers).toMatchObject([
      {
        id: parent,
        bookingSystem: 'standard',
        bookingId: 'BK-A',
        bookingGuestId: 'G-1',
        activities: ['raft'],
      },
      { id: kid, bookingId: 'BK-A', bookingGuestId: 'G-2', lastVisit: startsAt },
    ]);
    expect(await untilSent(kid, 1)).toMatchObject([
      { bookingId: 'BK-A', bookingGuestId: 'G-2', deleted: false },
    ]);
    const { bookings, walkIns } = await today();
    expect(bookings[0]).toMatchObject({ bookingId: 'BK-A', signed: 2, expected: 3 });
    expect(walkIns.map(({ waiverId }: { waiverId: string }) => waiverId)).not.toContain(kid);
    // Repeated, nothing changes.
    expect((await checkIn.host.admin('PUT', placeOf(parent), body)).body).toEqual(attached.body);
  });

  test('has a correction in its evidence for each place, which verifies', async () => {
    const [id = ''] = await walkIn(adult);
    await checkIn.host.admin('PUT', placeOf(id), { bookingId: 'BK-B' });
    const evidence = await until(async () => {
      const { text, body } = await checkIn.app('GET', `/v1/pools/rafting/waivers/${id}/evidence`);
      return body.later?.length === 1 ? text : undefined;
    }, 'a sealed correction');
    const findings = verifyEvidence(evidence);
    expect(findings.filter(({ status }) => status === 'changed')).toEqual([]);
  });

  test('moves to another booking, and is detached: each former booking is told that it is gone', async () => {
    const [id = ''] = await walkIn(adult);
    await checkIn.host.admin('PUT', placeOf(id), { bookingId: 'BK-B', bookingGuestId: 'G-3' });
    await untilSent(id, 1);
    await checkIn.host.admin('PUT', placeOf(id), { bookingId: 'BK-C', bookingGuestId: 'G-3' });
    await untilSent(id, 3);
    const detached = await checkIn.host.admin('DELETE', placeOf(id));
    expect(detached.status).toBe(204);
    const updates = await untilSent(id, 4);
    expect(updates.map(({ bookingId, deleted }) => `${bookingId} ${deleted}`)).toEqual([
      'BK-B false',
      'BK-B true',
      'BK-C false',
      'BK-C true',
    ]);
    const { body } = await checkIn.app('GET', `/v1/pools/rafting/waivers/${id}`);
    expect(body).toMatchObject({ bookingSystem: null, bookingId: null, bookingGuestId: null });
    expect((await checkIn.host.admin('DELETE', placeOf(id))).status).toBe(204);
    expect((await today()).walkIns.map(({ waiverId }: { waiverId: string }) => waiverId)).toContain(id);
  });
});

describe('a waiver is not attached', () => {
  let id = '';
  beforeAll(async () => {
    [id = ''] = await walkIn(adult);
  });

  test.each([
    [{ bookingId: 'BK-none' }, 404, 'booking_not_found'],
    [{ bookingId: 'BK-A', bookingGuestId: 'G-9' }, 404, 'booking_guest_not_found'],
    [{ bookingId: 'BK-A', bookingSystem: 'no-such' }, 404, 'unknown_booking_system'],
    [{ bookingId: 'BK-A', bookingSystem: 'bookeo' }, 424, 'not_installed'],
    [{ bookingId: 'BK-A', together: [{ id: 'no-such-waiver' }] }, 404, 'waiver_not_found'],
    [{ bookingId: 'BK-A', bookingGuestId: null, guest: 1 }, 400, 'malformed'],
    [{}, 400, 'malformed'],
  ])('to %j: %i %s', async (body, status, code) => {
    const refused = await checkIn.host.admin('PUT', placeOf(id), body);
    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect((await checkIn.app('GET', `/v1/pools/rafting/waivers/${id}`)).body.bookingId).toBeNull();
  });

  test('to a guest who has signed by another one', async () => {
    const [first = ''] = await walkIn(adult);
    const place = { bookingId: 'BK-B', bookingGuestId: 'G-1' };
    expect((await checkIn.host.admin('PUT', placeOf(first), place)).status).toBe(200);
    const refused = await checkIn.host.admin('PUT', placeOf(id), place);
    expect([refused.status, refused.body.code]).toEqual([409, 'guest_signed']);
    expect(refused.body.message).toContain(first);
    const answers = await Promise.all(
      (await Promise.all([walkIn(adult), walkIn(adult), walkIn(adult)])).map(([waiver = '']) =>
        checkIn.host.admin('PUT', placeOf(waiver), { bookingId: 'BK-B', bookingGuestId: 'G-2' }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  });

  test('with one that is named twice, or with more than sign together', async () => {
    const twice = {
      bookingId: 'BK-C',
      bookingGuestId: 'G-1',
      together: [{ id: 'w', bookingGuestId: 'G-1' }],
    };
    const many = Array.from({ length: 21 }, (_, number) => ({ id: `w${number}` }));
    for (const body of [twice, { bookingId: 'BK-C', together: many }]) {
      const refused = await checkIn.host.admin('PUT', placeOf(id), body);
      expect([refused.status, refused.body.code]).toEqual([400, 'malformed']);
    }
  });

  test('to a booking of another day, where it is valid for the visit', async () => {
    const refused = await checkIn.host.admin('PUT', placeOf(id), { bookingId: 'BK-1001' });
    expect([refused.status, refused.body.code]).toEqual([409, 'waiver_expired']);
  });

  test('once it was voided', async () => {
    const [voided = ''] = await walkIn(adult);
    await checkIn.app('POST', `/v1/pools/rafting/waivers/${voided}/void`);
    for (const method of ['PUT', 'DELETE']) {
      const body = method === 'PUT' ? { bookingId: 'BK-C' } : undefined;
      const refused = await checkIn.host.admin(method, placeOf(voided), body);
      expect([method, refused.status]).toEqual([method, method === 'PUT' ? 409 : 204]);
    }
  });
});

describe('a link that a guest shows', () => {
  test('leads to its booking', async () => {
    const find = `${pool}/check-in-links/find`;
    const place = { bookingId: 'BK-A', bookingGuestId: 'G-3' };
    const token = await makeLink(checkIn.app, 'rafting', place);
    const found = await checkIn.host.admin('POST', find, { token });
    expect(found.body).toEqual({ bookingSystem: 'standard', ...place, revokedAt: null });
    const desk = await makeLink(checkIn.app, 'rafting', { desk: true });
    expect((await checkIn.host.admin('POST', find, { token: desk })).body).toMatchObject({ bookingId: null });
    const unknown = await checkIn.host.admin('POST', find, { token: 'wsg_unknown' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'link_not_found']);
    await checkIn.host.makePool('kayaks');
    const elsewhere = await checkIn.host.admin('POST', '/v1/admin/pools/kayaks/check-in-links/find', {
      token,
    });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([404, 'link_not_found']);
    expect((await checkIn.host.admin('POST', find, { token: 'w'.repeat(201) })).status).toBe(400);
  });
});
