import { isInvalidBookingResponse, makeSignable } from '@waiver-service/core';
import {
  checkSigning,
  type FormContent,
  loadSentences,
  type Signing,
  signingSchema,
} from '@waiver-service/forms';
import { readBooking } from '@waiver-service/plugin-kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookingAnswer } from '../../src/booking-reading/booking-answer.ts';
import { matchWaivers } from '../../src/booking-reading/signed-waivers.ts';
import { checkInSession } from '../../src/check-in/check-in-session.ts';
import { requireGuestsOfLink } from '../../src/check-in/signing-checks.ts';
import { signingDay } from '../../src/check-in/signing-day.ts';
import { findUnstorable, readJsonBody } from '../../src/http/json-body.ts';
import { newWaiverSchema } from '../../src/waiver-routes/waiver-schemas.ts';

const isLong = process.env.WAIVER_SERVICE_FAULTS === 'long';
const numRuns = isLong ? 10_000 : 200;

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
const text = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(odd, { maxLength: 3 }).map((all) => all.join('')),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(1e21, 2 ** 60, 5e-324, -0));
const nested = fc.jsonValue({ maxDepth: 8 });
const value = fc.oneof({ weight: 4, arbitrary: text }, number, fc.constant(null), fc.boolean(), nested);
const properties = [
  'dateOfBirth',
  'height',
  'minor',
  'notes',
  'shoeSize',
  '__proto__',
  'updatedAt',
  'a\u0000',
];
const others = fc.dictionary(fc.oneof(fc.constantFrom(...properties), text), value, { maxKeys: 3 });
const id = fc.oneof(fc.constantFrom('g1', 'g2', 'G1'), text, fc.integer());
const guest = fc
  .tuple(others, fc.record({ id, name: text, email: text, phoneNumber: text }, { requiredKeys: [] }))
  .map(([first, second]) => ({ ...first, ...second }));
const time = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2190-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const booking = fc
  .tuple(
    others,
    fc.record({
      id: fc.oneof({ weight: 5, arbitrary: fc.constant('B-1') }, text),
      status: text,
      contact: fc.record({ name: text, email: text }),
      pax: fc.oneof({ weight: 5, arbitrary: fc.nat({ max: 10 }) }, fc.maxSafeNat()),
      guests: fc.array(guest, { maxLength: 4 }),
      bookedSessions: fc.array(
        fc.record({ startsAt: time, endsAt: time, activityId: text, activityName: text }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  )
  .map(([first, second]) => ({ ...first, ...second }));

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
const prefillProperties = [...properties, 'howHeard', 'weight'];

function read(json: string) {
  try {
    return makeSignable(readBooking(JSON.parse(json)));
  } catch (error) {
    if (isInvalidBookingResponse(error)) return undefined;
    throw error;
  }
}

const stringsIn = (item: unknown): string[] => {
  if (typeof item === 'string') return [item];
  if (typeof item !== 'object' || item === null) return [];
  return Object.entries(item).flatMap(([name, inner]) => [name, ...stringsIn(inner)]);
};

test('each guest of any booking that is read can sign, on the page and by the waiver API', async () => {
  const sentences = await loadSentences('en');
  let reads = 0;
  fc.assert(
    fc.property(booking, (given) => {
      const fetched = read(JSON.stringify(given));
      if (fetched === undefined) return;
      reads += 1;
      const { booking: found } = fetched;
      const reading = { bookingSystem: 'standard', bookingId: 'B-1', fetched, fetchedAt: now, stale: false };
      const answer = bookingAnswer({
        ...{ reading, prefillProperties, timeZone, now },
        waivers: [],
        caller: null,
      });
      expect(stringsIn(found).filter((each) => each.includes('\u0000') || !each.isWellFormed())).toEqual([]);
      const activities = [...new Set(found.bookedSessions.flatMap(({ activityId }) => activityId ?? []))];
      for (const { bookingGuestId, prefill } of answer.guests ?? []) {
        const answers = { name: 'Ann Lee', ...prefill };
        const body = readJsonBody(
          Buffer.from(JSON.stringify({ bookingId: 'B-1', bookingGuestId, activities, answers })),
        );
        expect(findUnstorable(body)).toBeUndefined();
        expect(newWaiverSchema.safeParse(body).error?.issues).toBeUndefined();
      }
      const day = signingDay(found.bookedSessions, timeZone, now);
      for (const [index, { id: bookingGuestId = null }] of found.guests.entries()) {
        const link = {
          ...{
            pool: 'p1',
            poolName: 'One',
            timeZone,
            bookingSystem: 'standard',
            bookingId: 'B-1',
            bookingGuestId,
          },
          ...{ id: 'l1', expiresAt: null, revokedAt: null, createdAt: now, createdBy: 'admin' },
        };
        const { guests } = checkInSession({
          ...{ link, booking: found, waivers: [], prefillProperties, day, returning: null },
          form: { form: 'f', name: 'F', version: 1, hash: 'h', content },
          sealing: { id: 'k', publicKey: 'k' },
        });
        const prefill = guests.find((each) => each.bookingGuestId === bookingGuestId)?.prefill ?? {};
        const answers: Record<string, string> = { name: `Guest ${'abcd'[index] ?? ''}` };
        for (const item of content.pages[0]?.items ?? []) {
          const filled =
            item.type === 'ask' && item.property !== undefined ? prefill[item.property] : undefined;
          if (typeof filled === 'string') answers[item.id] = filled;
        }
        const signing: Signing = {
          ...{ id: crypto.randomUUID(), form: 'f', version: 1, language: 'en', acts: [] },
          guests: [{ ...(bookingGuestId === null ? {} : { bookingGuestId }), answers }],
          signer: { takesPart: true, answers: {} },
          times: { openedAt: now.toISOString(), signedAt: now.toISOString() },
        };
        const body = readJsonBody(Buffer.from(JSON.stringify(signing)));
        expect(findUnstorable(body)).toBeUndefined();
        expect(signingSchema.safeParse(body).error?.issues).toBeUndefined();
        expect(checkSigning(content, signing, day, sentences)).toMatchObject({ ok: true });
        const linked = { pool: 'p1', bookingSystem: 'standard', bookingId: 'B-1', booking: found };
        const signed = bookingGuestId === null ? {} : { bookingGuestId };
        requireGuestsOfLink(link, linked, [{ ...signed, isMinor: false }]);
      }
    }),
    { numRuns, verbose: fc.VerbosityLevel.None },
  );
  expect(reads).toBeGreaterThan(numRuns / 4);
});

test('two guests with one id sign one waiver each, and a warning says so', () => {
  const fetched = read(
    JSON.stringify({
      ...{ id: 'B-1', status: 'Active', contact: { name: 'Ann Lee' }, pax: 2 },
      guests: [
        { id: 'g1', name: 'Ann Lee' },
        { id: 'g1', name: 'Bob Lee' },
      ],
      bookedSessions: [
        {
          startsAt: '2026-06-21T08:00:00Z',
          endsAt: '2026-06-21T09:00:00Z',
          activityId: 'a',
          activityName: 'A',
        },
      ],
    }),
  );
  expect(fetched?.warnings).toMatchObject([{ code: 'guest_id_repeated', path: 'guests[0].id' }]);
  const waiver = (id: string, name: string, bookingGuestId: string | null) => ({
    ...{ id, name, bookingGuestId, currentPage: null, validUntil: null },
  });
  const signedBy = (...waivers: ReturnType<typeof waiver>[]) => {
    const { signed, missing } = matchWaivers(fetched?.booking, waivers, timeZone);
    return { signed, missing: missing.map(({ name }) => name) };
  };
  // By an earlier release, or an app that knows the id.
  expect(signedBy(waiver('w1', 'ANN  Lee', 'g1'))).toEqual({ signed: 1, missing: ['Bob Lee'] });
  expect(signedBy(waiver('w1', 'Ann Lee', 'g1'), waiver('w2', 'Bob Lee', 'g1'))).toEqual({
    signed: 2,
    missing: [],
  });
  expect(signedBy(waiver('w1', 'Bob Lee', null))).toEqual({ signed: 1, missing: ['Ann Lee'] });
});
