import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { contractBookingId } from '../fixtures/bookings.ts';
import { brokenBodies, proxyPage } from '../fixtures/broken-bodies.ts';
import { readsContract } from '../manifest-predicates.ts';
import { expectError, read } from './operations.ts';

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
