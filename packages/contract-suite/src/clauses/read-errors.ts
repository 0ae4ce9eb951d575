import type { BookingSystemErrorCode } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectBetween, expectRejection } from '../expectations/rejection.ts';
import { contractBookingId } from '../fixtures/bookings.ts';
import { brokenBodies, proxyPage } from '../fixtures/broken-bodies.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerAnswer } from '../kit/partner.ts';
import { readsContract } from '../manifest-predicates.ts';

/** Expects a read to be rejected with an error code, given a response. */
function expectReadError(
  kit: ClauseKit,
  answer: PartnerAnswer,
  code: BookingSystemErrorCode,
  fields?: Readonly<Record<string, unknown>>,
) {
  kit.partner.willAnswer(kit.readMethod, answer);
  return expectRejection(kit.read(), code, fields);
}

const contractNotFound = {
  status: 404,
  body: { success: false, message: `booking ${contractBookingId} was not found` },
};

const authenticationClause = (status: number): Clause => ({
  id: `error/${status}`,
  section: 'plugin interface, errors',
  title: `${status} is AuthenticationRejected`,
  async run(kit) {
    await expectReadError(kit, kit.refusedKey(status), 'booking_system_auth_rejected', {
      upstreamStatus: status,
      inDoubt: false,
    });
  },
});

const invalidClause = (id: string, title: string, body: (booking: string) => string): Clause => ({
  id,
  section: 'plugin interface, errors',
  title,
  async run(kit) {
    const answer = { body: body(JSON.stringify(kit.bookingBody)) };
    await expectReadError(kit, answer, 'invalid_booking_response', { retryable: false });
  },
});

/** The errors of a read, in the contract's or a vendor's form. */
export const readErrorClauses: readonly Clause[] = [
  {
    id: 'error/not-found',
    section: 'contract 4.1, 7',
    title: 'a 404 with the contract’s body is BookingNotFound',
    appliesTo: readsContract,
    async run(kit) {
      const error = await expectReadError(kit, contractNotFound, 'booking_not_found', {
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
      const plain = await expectReadError(kit, contractNotFound, 'booking_not_found');
      for (const body of [proxyPage, '', { error: 'no route' }]) {
        const hinted = await expectReadError(kit, { status: 404, body }, 'booking_not_found');
        expect(hinted.message, 'it says more than a 404 with the contract’s body').not.toBe(plain.message);
      }
    },
  },
  authenticationClause(401),
  authenticationClause(403),
  {
    id: 'error/429-seconds',
    section: 'plugin interface, errors',
    title: '429 is RateLimited, with Retry-After converted from seconds to milliseconds',
    async run(kit) {
      const answer = { status: 429, headers: { 'retry-after': '120' }, body: {} };
      await expectReadError(kit, answer, 'booking_system_rate_limited', {
        retryAfterMs: 120_000,
        retryable: true,
      });
    },
  },
  {
    id: 'error/429-date',
    section: 'plugin interface, errors',
    title: '429 is RateLimited, with Retry-After converted from a date to milliseconds from now',
    async run(kit) {
      const date = new Date(Date.now() + 90_000).toUTCString();
      const answer = { status: 429, headers: { 'retry-after': date }, body: {} };
      const error = await expectReadError(kit, answer, 'booking_system_rate_limited');
      expectBetween(Reflect.get(error, 'retryAfterMs'), 60_000, 91_000);
    },
  },
  {
    id: 'error/429-without-time',
    section: 'plugin interface, errors',
    title: '429 without a valid Retry-After is RateLimited, without a time unless the plugin knows one',
    async run(kit) {
      for (const answer of [{ status: 429 }, { status: 429, headers: { 'retry-after': 'soon' } }]) {
        const judged = kit.plugin.judgeAnswer?.({ headers: {}, data: '', ...answer });
        const fields = { retryAfterMs: judged?.retryAfterMs };
        await expectReadError(kit, answer, 'booking_system_rate_limited', fields);
      }
    },
  },
  {
    id: 'error/500',
    section: 'plugin interface, errors',
    title: '500, 502 and 503 are BookingSystemUnavailable, whatever the body',
    async run(kit) {
      for (const [status, body] of [[500, { error: 'oops' }] as const, [502, proxyPage] as const]) {
        const fields = { upstreamStatus: status, retryable: true };
        await expectReadError(kit, { status, body }, 'booking_system_error', fields);
      }
      const answer = { status: 503, headers: { 'retry-after': '30' } };
      await expectReadError(kit, answer, 'booking_system_error', { retryAfterMs: 30_000 });
    },
  },
  {
    id: 'error/timeout',
    section: 'decisions, reading',
    title: 'no response within the timeout is BookingSystemTimeout',
    async run(kit) {
      kit.partner.willAnswer(kit.readMethod, 'hang');
      await expectRejection(kit.read(kit.bookingId, { shortTimeout: true }), 'booking_system_timeout', {
        outboundErrorCode: 'timeout',
        retryable: true,
      });
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
  {
    id: 'error/reset',
    section: 'plugin interface, errors',
    title: 'a connection that breaks is BookingSystemUnavailable',
    async run(kit) {
      await expectReadError(kit, 'reset', 'booking_system_error', { outboundErrorCode: 'connection_reset' });
    },
  },
  {
    id: 'error/redirect',
    section: 'decisions, sending',
    title: 'a redirect is not followed: BookingSystemUnavailable',
    async run(kit) {
      for (const status of [301, 302, 307, 308]) {
        const answer = { status, headers: { location: '/elsewhere' } };
        await expectReadError(kit, answer, 'booking_system_error', { outboundErrorCode: 'redirect' });
      }
    },
  },
  invalidClause('error/html', 'a page with status 200 is InvalidBookingResponse', () => proxyPage),
  invalidClause('error/empty', 'an empty body with status 200 is InvalidBookingResponse', () => ''),
  invalidClause('error/half-json', 'truncated JSON is InvalidBookingResponse', brokenBodies.half),
  invalidClause('error/too-large', 'a body over 5 MiB is InvalidBookingResponse', brokenBodies.tooLarge),
];
