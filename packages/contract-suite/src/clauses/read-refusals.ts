import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { readsContract, readsCurrent, readsLegacy } from '../conditions.ts';
import { expectRejection } from '../expectations.ts';
import {
  type Body,
  brokenBodies,
  changedContact,
  contractBookingId,
  firstSession,
  proxyPage,
  writeCurrent,
  writeLegacy,
} from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { expectError, fetchBody, inEachForm, read } from './operations.ts';

const contractNotFound = {
  status: 404,
  body: { success: false, message: `booking ${contractBookingId} was not found` },
};

const invalidClause = (id: string, title: string, body: (booking: string) => string): Clause => ({
  id,
  section: 'plugin interface, errors',
  title,
  async run(kit) {
    const answer = { body: body(JSON.stringify(kit.bookingBody)) };
    await expectError(kit, read, answer, 'invalid_booking_response', { retryable: false });
  },
});

/** Errors specific to reads. */
export const readErrorClauses: readonly Clause[] = [
  {
    id: 'error/not-found',
    section: 'contract 4.1, 7',
    title: 'a 404 with the contract’s body is BookingNotFound',
    appliesTo: readsContract,
    async run(kit) {
      const error = await expectError(kit, read, contractNotFound, 'booking_not_found', {
        retryable: false,
        upstreamStatus: 404,
      });
      expect(error.message, 'the message names the booking').toContain(contractBookingId);
    },
  },
  {
    id: 'error/not-found-page',
    section: 'decisions, reading',
    title: 'a 404 with another body is BookingNotFound too, with a hint that the address may be wrong',
    appliesTo: readsContract,
    async run(kit) {
      const plain = await expectError(kit, read, contractNotFound, 'booking_not_found');
      for (const body of [proxyPage, '', { error: 'no route' }]) {
        const hinted = await expectError(kit, read, { status: 404, body }, 'booking_not_found');
        expect(hinted.message, 'it says more than a 404 with the contract’s body').not.toBe(plain.message);
      }
    },
  },
  {
    id: 'error/given-up',
    section: 'plugin interface',
    title: 'a call whose signal aborts ends at once',
    async run(kit) {
      const controller = new AbortController();
      kit.partner.willAnswer(kit.readMethod, 'hang');
      const call = kit.read(kit.bookingId, { signal: controller.signal });
      kit.partner.onRequest(() => controller.abort());
      await expectRejection(call, 'booking_system_timeout');
    },
  },
  invalidClause('error/html', 'a page with status 200 is InvalidBookingResponse', () => proxyPage),
  invalidClause('error/empty', 'an empty body with status 200 is InvalidBookingResponse', () => ''),
  invalidClause('error/half-json', 'truncated JSON is InvalidBookingResponse', brokenBodies.half),
  invalidClause('error/too-large', 'a body over 5 MiB is InvalidBookingResponse', brokenBodies.tooLarge),
];

/** Expects a body to be refused with a message that names the field. */
async function expectRefused(kit: ClauseKit, body: Body, field: string): Promise<void> {
  const error = await expectRejection(fetchBody(kit, body), 'invalid_booking_response');
  expect(error.message, 'the message names what is wrong').toContain(field);
}

async function expectStartRefused(kit: ClauseKit, startsAt: unknown): Promise<void> {
  if (readsCurrent(kit.plugin)) {
    const body = writeCurrent({ bookedSessions: [firstSession({}), firstSession({ startsAt })] });
    await expectRefused(kit, body, 'bookedSessions[1].startsAt');
  }
  if (readsLegacy(kit.plugin)) await expectRefused(kit, writeLegacy({ startsAt }), 'startsAt');
}

const section = 'decisions, reading';

/** Fatal deviations from the contract: a response that is not a booking is an error that says why, never a guess. */
export const readRefusalClauses: readonly Clause[] = [
  {
    id: 'refusal/neither-form',
    section,
    title: 'a response in neither form is refused, saying what was found',
    appliesTo: readsContract,
    async run(kit) {
      const { bookedSessions: _sessions, ...body } = writeCurrent({ reservationLines: [] });
      await expectRefused(kit, body, 'reservationLines');
    },
  },
  ...['id', 'status', 'contact', 'pax', 'guests'].map(
    (field): Clause => ({
      id: `refusal/missing-${field}`,
      section: 'contract 2.1',
      title: `a response whose ${field} is missing or null is refused, naming it`,
      appliesTo: readsContract,
      async run(kit) {
        for (const write of inEachForm(kit.plugin)) {
          await expectRefused(kit, write({ [field]: undefined }), field);
          await expectRefused(kit, write({ [field]: null }), field);
        }
      },
    }),
  ),
  {
    id: 'refusal/missing-contact-name',
    section: 'contract 2.2',
    title: 'a contact without a name is refused, naming it',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        await expectRefused(kit, write({ contact: changedContact({ name: undefined }) }), 'contact.name');
      }
    },
  },
  {
    id: 'refusal/wrong-kinds',
    section: 'contract 2.1',
    title:
      'a list where an object must be, an object where a list must be, a broken number: refused, each named',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        await expectRefused(kit, write({ guests: { 1: {} } }), 'guests');
        await expectRefused(kit, write({ guests: ['Zoë'] }), 'guests[0]');
        await expectRefused(kit, write({ contact: ['Zoë'] }), 'contact');
        await expectRefused(kit, write({ pax: 2.5 }), 'pax');
        await expectRefused(kit, write({ pax: -1 }), 'pax');
        await expectRefused(kit, write({ status: { name: 'Active' } }), 'status');
      }
    },
  },
  {
    id: 'refusal/no-session',
    section: 'contract 2.1, 8',
    title: 'a booking without any session is refused; none is made up',
    appliesTo: readsCurrent,
    run: (kit) => expectRefused(kit, writeCurrent({ bookedSessions: [] }), 'bookedSessions'),
  },
  {
    id: 'refusal/session-without-start',
    section,
    title: 'a session without startsAt is refused, naming it',
    appliesTo: readsContract,
    run: (kit) => expectStartRefused(kit, undefined),
  },
  {
    id: 'refusal/time-without-zone',
    section,
    title: 'a date-time without a time zone is refused, naming it; no zone is assumed',
    appliesTo: readsContract,
    run: (kit) => expectStartRefused(kit, '2027-06-12T07:30:00'),
  },
  {
    id: 'refusal/not-a-date-time',
    section: 'contract 2.3',
    title: 'a value that is not a date-time is refused, naming it',
    appliesTo: readsContract,
    async run(kit) {
      for (const startsAt of ['tomorrow', '2027-02-30T07:30:00Z', '', 1_813_000_000]) {
        await expectStartRefused(kit, startsAt);
      }
    },
  },
  {
    id: 'refusal/issues',
    section: 'plugin interface',
    title: 'all issues are reported at once, as data',
    appliesTo: readsContract,
    async run(kit) {
      for (const write of inEachForm(kit.plugin)) {
        const call = fetchBody(kit, write({ pax: 'many', status: undefined }));
        const error = await expectRejection(call, 'invalid_booking_response');
        expect(Reflect.get(error, 'issues')).toHaveLength(2);
        expect(Reflect.get(error, 'issues')).toEqual(
          expect.arrayContaining([
            { path: 'pax', message: expect.any(String) },
            { path: 'status', message: expect.any(String) },
          ]),
        );
      }
    },
  },
  {
    id: 'refusal/not-an-object',
    section: 'contract 2.1',
    title: 'JSON that is not an object, or an error sent with status 200, is not a booking',
    async run(kit) {
      for (const body of ['[]', 'null', '"BK-2001"', '42', '{}', '{"success":false,"message":"sorry"}']) {
        kit.partner.willAnswer(kit.readMethod, { body, headers: { 'content-type': 'application/json' } });
        const error = await expectRejection(kit.read(), 'invalid_booking_response');
        expect(error.message.trim()).not.toBe('');
      }
    },
  },
];
