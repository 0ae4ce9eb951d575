import { sealEnvelope } from '@waiver-service/forms/envelope';
import { isLong, makeLink } from '@waiver-service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckInHost, startCheckInHost } from '../harness/check-in.ts';
import { confirmed } from '../harness/signable-bookings.ts';

let checkIn: CheckInHost;
beforeAll(async () => {
  checkIn = await startCheckInHost();
  await checkIn.host.admin('PUT', '/v1/admin/pools/rafting', {
    ...{ name: 'rafting', timeZone: 'Europe/Berlin' },
    prefillProperties: ['notes', 'dateOfBirth', 'shoeSize', 'height'],
  });
});
afterAll(() => checkIn?.close());

const time = { startsAt: '2027-06-12T08:00:00Z', endsAt: '2027-06-14T09:00:00Z' };

/** A booking with one text in each of its fields. */
function bookingWith(id: string, text: string) {
  const person = { name: text, email: text, phoneNumber: text, dateOfBirth: text, shoeSize: text };
  return {
    ...{ id, status: text, notes: text, pax: 3, height: text, [`own ${text}`]: text },
    contact: person,
    guests: ['g1', 'g2', 'g3'].map((guest) => ({ id: guest, ...person, [text]: text })),
    bookedSessions: [{ ...time, activityId: text, activityName: text }],
  };
}

const texts = [
  ['U+0000', 'a\u0000b'],
  ['half a surrogate pair', '\ud83d'],
  ['line breaks', 'Ann\r\nBcc: all@example.com\u2028'],
  ['an escape code', '\u001b[2J'],
  ['nothing visible', '\u3164'],
  ['spaces', '   '],
  ['nothing', ''],
  ['a long text', 'é'.repeat(600)],
  ['a very long text', 'x'.repeat(10_001)],
  ['a name of JavaScript’s', '__proto__'],
  ['dots', '..'],
  ['right to left', '\u202eeeL nnA'],
  ['another type’s text', '1990-02-30'],
] as const;

// Of each kind: refused by PostgreSQL, invisible, too long, with a meaning to JavaScript.
test.each(isLong ? texts : texts.filter((_, place) => [0, 4, 8, 9].includes(place)))(
  'each guest of a booking with %s everywhere can sign: online, sealed and by the waiver API',
  async (name, text) => {
    const { app, host, system, form } = checkIn;
    const bookingId = `BK-${name}`;
    system.bookings.add(bookingWith(bookingId, text));
    const openLink = async (bookingGuestId: string) => {
      const token = await makeLink(app, 'rafting', { bookingId, bookingGuestId });
      const { status, body } = await host.as(token)('GET', '/check-in/api/session');
      expect([status, body.guests[0]?.bookingGuestId], JSON.stringify(body)).toEqual([200, bookingGuestId]);
      const typed = checkIn.signing(['1990-02-28'], { bookingGuestIds: [bookingGuestId] });
      return { token, body, signing: confirmed(typed, form.content, body.guests[0].prefill) };
    };
    const online = await openLink('g1');
    const signed = await host.as(online.token)('POST', '/check-in/api/signings', online.signing);
    expect([signed.status, signed.text.slice(0, 300)]).toEqual([201, expect.anything()]);
    const { token, body: session, signing } = await openLink('g2');
    const envelope = await sealEnvelope(session.sealing, JSON.stringify({ token, signing }));
    const path = `/check-in/api/sealed-signings/${session.sealing.id}`;
    const sealed = await host.as(null)('POST', path, { envelope });
    expect([sealed.status, sealed.text.slice(0, 300)]).toEqual([201, expect.anything()]);
    const { body: read } = await app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}`);
    const activities = read.booking.bookedSessions.flatMap(
      ({ activityId }: { activityId?: string }) => activityId ?? [],
    );
    const { bookingGuestId, prefill } = read.guests[2];
    const answers = { name: 'Ann Lee', ...prefill };
    const waiver = await app('POST', '/v1/pools/rafting/waivers', {
      ...{ bookingId, bookingGuestId, activities, answers },
    });
    expect([waiver.status, waiver.text.slice(0, 300)]).toEqual([201, expect.anything()]);
    const { body: after } = await app('GET', `/v1/pools/rafting/bookings/${encodeURIComponent(bookingId)}`);
    expect(after.waivers).toMatchObject({ signed: 3, missing: [] });
  },
);
