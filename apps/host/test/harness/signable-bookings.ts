import { newWaiverSchema } from '@waiver-service/api';
import { type FetchedBooking, isInvalidBookingResponse } from '@waiver-service/core';
import {
  checkSigning,
  type FormContent,
  loadSentences,
  type Signing,
  type SigningDay,
  signingSchema,
} from '@waiver-service/forms';
import { makeSealingKey, openEnvelope, sealEnvelope } from '@waiver-service/forms/envelope';
import { findUnstorable, maxBodyBytes, readJsonBody } from '@waiver-service/http';
import { activitiesOf, bookingAnswer } from '@waiver-service/integration';
import {
  checkInSession,
  readLateBody,
  requireGuestsOfLink,
  signingDay,
} from '@waiver-service/signing/testing';
import fc from 'fast-check';
import { expect } from 'vitest';

const odd = fc.constantFrom(
  ...['\u0000', '\ud83d', '\udc00', '\n', '\r\n', '\t', '\u2028', '\u200b', '\u3164', '\u202e', '\u001b[2J'],
  ...['.', '..', '', ' ', '???', '😀', 'x'.repeat(257), 'é'.repeat(129), 'x'.repeat(600), 'x'.repeat(10_001)],
  ...[
    'n/a',
    'a@b',
    '"a b"@c.de',
    'ann@example.com',
    '123',
    '+43 664 1234567',
    'Ann Lee',
    'Bob Ray',
    '1990-02-30',
  ],
);
/** Texts that some check refuses, and some that look like a person's or an address. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(odd, { maxLength: 3 }).map((all) => all.join('')),
);
const ask = { type: 'ask', per: 'guest', required: false } as const;
const content: FormContent = {
  languages: ['en'],
  activities: [],
  people: { adults: true, minors: 'no', majority: 18, maxMinors: 0 },
  validity: { visit: true },
  reuse: 'version',
  pages: [
    {
      id: 'you',
      title: { en: 'You' },
      items: [
        { ...ask, id: 'name', kind: 'text', property: 'name', label: { en: 'Name' }, required: true },
        { ...ask, id: 'email', kind: 'email', property: 'email', label: { en: 'E-mail' } },
        { ...ask, id: 'phone', kind: 'phone', property: 'phoneNumber', label: { en: 'Phone' } },
        { ...ask, id: 'notes', kind: 'text', property: 'notes', label: { en: 'Notes' }, max: 20 },
      ],
    },
  ],
};

const now = new Date('2026-06-20T10:00:00Z');
const timeZone = 'Europe/Vienna';
const sentences = await loadSentences('en');
const sealing = await makeSealingKey('k1');

const stringsIn = (item: unknown): string[] => {
  if (typeof item === 'string') return [item];
  if (typeof item !== 'object' || item === null) return [];
  return Object.entries(item).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);
};

/** A booking as it is read; undefined if it is refused. */
export async function readOrRefused(
  read: () => FetchedBooking | Promise<FetchedBooking>,
): Promise<FetchedBooking | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isInvalidBookingResponse(error)) return undefined;
    throw error;
  }
}

function expectSignableByApi(fetched: FetchedBooking, prefillProperties: readonly string[]): void {
  const reading = { bookingSystem: 'standard', bookingId: 'B-1', fetched, fetchedAt: now, stale: false };
  const { guests, booker } = bookingAnswer({
    ...{ reading, prefillProperties, timeZone, now },
    waivers: [],
    caller: null,
  });
  const activities = activitiesOf(fetched.booking.bookedSessions);
  for (const { bookingGuestId, prefill } of [
    ...(guests ?? []).map((guest) => ({ bookingGuestId: undefined, ...guest })),
    { bookingGuestId: undefined, prefill: booker ?? {} },
  ]) {
    const answers = { name: 'Ann Lee', ...prefill };
    const text = JSON.stringify({ bookingId: 'B-1', bookingGuestId, activities, answers });
    expect(Buffer.byteLength(text)).toBeLessThan(maxBodyBytes);
    const body = readJsonBody(Buffer.from(text));
    expect(findUnstorable(body)).toBeUndefined();
    expect(newWaiverSchema.safeParse(body).error?.issues).toBeUndefined();
  }
}

/** A signing whose first guest changes nothing of what the page is pre-filled with. */
export function confirmed(
  signing: Signing,
  { pages }: FormContent,
  prefill: Readonly<Record<string, unknown>>,
): Signing {
  const filled = pages
    .flatMap(({ items }) => items)
    .flatMap((item) => {
      const value = item.type === 'ask' && item.property !== undefined ? prefill[item.property] : undefined;
      return typeof value === 'string' ? [[item.id, value] as const] : [];
    });
  const [first, ...others] = signing.guests;
  const answers = { ...first?.answers, ...Object.fromEntries(filled) };
  return { ...signing, guests: [{ ...first, answers }, ...others] };
}

/** The link to one guest, and what they sign with it. */
function signingOf(
  { booking }: FetchedBooking,
  prefillProperties: readonly string[],
  index: number,
  day: SigningDay,
) {
  const { id: bookingGuestId = null } = booking.guests[index] ?? {};
  const link = {
    ...{ pool: 'p1', poolName: 'One', timeZone, bookingSystem: 'standard', bookingId: 'B-1', bookingGuestId },
    ...{ id: 'l1', expiresAt: null, revokedAt: null, createdAt: now, createdBy: 'admin' },
  };
  const { guests } = checkInSession({
    ...{ link, booking, waivers: [], prefillProperties, day, returning: null },
    form: { form: 'f', name: 'F', version: 1, hash: 'h', content },
    sealing,
  });
  const prefill = guests.find((each) => each.bookingGuestId === bookingGuestId)?.prefill ?? {};
  const ids = bookingGuestId === null ? {} : { bookingGuestId };
  const at = now.toISOString();
  const typed: Signing = {
    ...{ id: crypto.randomUUID(), form: 'f', version: 1, language: 'en', acts: [] },
    guests: [{ ...ids, answers: { name: `Guest ${index}` } }],
    signer: { takesPart: true, answers: {} },
    times: { openedAt: at, signedAt: at },
  };
  const signing = confirmed(typed, content, prefill);
  return { link, signing };
}

/**
 * Expects that the guests of a booking can sign: on the page, by the envelope that it seals without a connection, and by
 * the waiver API. Of many guests, the first ones.
 */
export async function expectSignable(
  fetched: FetchedBooking,
  prefillProperties: readonly string[],
): Promise<void> {
  const { booking } = fetched;
  expect(stringsIn(booking).filter((each) => each.includes('\u0000') || !each.isWellFormed())).toEqual([]);
  expectSignableByApi(fetched, prefillProperties);
  const day = signingDay(booking.bookedSessions, timeZone, now);
  for (const index of booking.guests.slice(0, 4).keys()) {
    const { link, signing } = signingOf(fetched, prefillProperties, index, day);
    const body = readJsonBody(Buffer.from(JSON.stringify(signing)));
    expect(findUnstorable(body)).toBeUndefined();
    expect(signingSchema.safeParse(body).error?.issues).toBeUndefined();
    const place = { bookingSystem: link.bookingSystem, bookingId: link.bookingId };
    const envelope = await sealEnvelope(sealing, JSON.stringify({ token: 'wst_1', booking: place, signing }));
    const late = readLateBody(await openEnvelope(sealing, envelope));
    expect(late).toEqual({ token: 'wst_1', booking: place, signing });
    expect(checkSigning(content, signing, day, sentences)).toMatchObject({ ok: true });
    const { bookingGuestId } = link;
    const signed = { ...(bookingGuestId === null ? {} : { bookingGuestId }), isMinor: false };
    requireGuestsOfLink(link, { ...{ pool: 'p1', ...place }, booking }, [signed]);
  }
}
