import type { BookingSystemErrorCode } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectBetween, expectRejection } from '../expectations/rejection.ts';
import { brokenBodies, proxyPage } from '../fixtures/broken-bodies.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerAnswer } from '../kit/partner.ts';
import { writes, writesContract } from '../manifest-predicates.ts';

/** Expects a Guest Update to be rejected with an error code, given a response. */
function expectPushError(
  kit: ClauseKit,
  answer: PartnerAnswer,
  code: BookingSystemErrorCode,
  fields?: Readonly<Record<string, unknown>>,
) {
  kit.partner.willAnswer(kit.writeMethod, answer);
  return expectRejection(kit.push(), code, fields);
}

const section = 'decisions, sending';

/** The result of the contract's Guest Update for each response. */
export const guestUpdateAnswerClauses: readonly Clause[] = [
  {
    id: 'guest-update/success',
    section,
    title: 'any 2xx without success false is accepted: with a JSON body, with another body, or without one',
    appliesTo: writesContract,
    async run(kit) {
      const answers: PartnerAnswer[] = [
        { body: { success: true } },
        { status: 201, body: { id: 7 } },
        { status: 204 },
        { status: 200, body: '' },
        { status: 202, body: 'OK' },
      ];
      for (const answer of answers) {
        kit.partner.willAnswer('POST', answer);
        expect(await kit.push()).toEqual({ accepted: true, warnings: [] });
      }
    },
  },
  {
    id: 'guest-update/success-false',
    section,
    title: '200 with success false is a rejection, retried by the whole schedule',
    appliesTo: writesContract,
    async run(kit) {
      for (const body of [{ success: false }, { success: false, message: 'no such guest' }]) {
        const fields = { retry: 'schedule', outboundErrorCode: 'not_accepted', inDoubt: false };
        await expectPushError(kit, { body }, 'waiver_rejected', fields);
      }
    },
  },
  {
    id: 'guest-update/refused-body',
    section,
    title: '400, 413, 415 and 422 reject the body: three attempts',
    appliesTo: writesContract,
    async run(kit) {
      for (const status of [400, 413, 415, 422]) {
        const fields = { retry: 'three-attempts', upstreamStatus: status, inDoubt: false };
        await expectPushError(kit, { status, body: { success: false } }, 'waiver_rejected', fields);
      }
    },
  },
  {
    id: 'guest-update/gone',
    section,
    title: '410 is final: no retry',
    appliesTo: writesContract,
    async run(kit) {
      const fields = { retry: 'never', retryable: false, upstreamStatus: 410 };
      await expectPushError(kit, { status: 410 }, 'waiver_rejected', fields);
    },
  },
  {
    id: 'guest-update/other-refusals',
    section,
    title: '404, 405 and 409 may pass: retried by the whole schedule',
    appliesTo: writesContract,
    async run(kit) {
      for (const status of [404, 405, 409]) {
        kit.partner.willAnswer('POST', { status, body: { success: false, message: 'no' } });
        const error = await kit.push().catch((reason: unknown) => reason);
        const { retryable, retry = 'schedule', inDoubt, upstreamStatus } = Object(error);
        expect({ retryable, retry, inDoubt, upstreamStatus }).toEqual({
          retryable: true,
          retry: 'schedule',
          inDoubt: false,
          upstreamStatus: status,
        });
      }
    },
  },
];

const authenticationClause = (status: number): Clause => ({
  id: `guest-update/${status}`,
  section,
  title: `${status} is AuthenticationRejected, and is retried`,
  appliesTo: writes,
  async run(kit) {
    const fields = { upstreamStatus: status, retryable: true, inDoubt: false };
    await expectPushError(kit, kit.refusedKey(status), 'booking_system_auth_rejected', fields);
  },
});

/** The errors of a write, in the contract's or a vendor's form. */
export const guestUpdateErrorClauses: readonly Clause[] = [
  authenticationClause(401),
  authenticationClause(403),
  {
    id: 'guest-update/429',
    section,
    title: '429 is RateLimited, with Retry-After in milliseconds, from seconds or a date',
    appliesTo: writes,
    async run(kit) {
      const code = 'booking_system_rate_limited';
      const seconds = { status: 429, headers: { 'retry-after': '7' } };
      await expectPushError(kit, seconds, code, { retryAfterMs: 7_000, inDoubt: false });
      const date = new Date(Date.now() + 90_000).toUTCString();
      const error = await expectPushError(kit, { status: 429, headers: { 'retry-after': date } }, code);
      expectBetween(Reflect.get(error, 'retryAfterMs'), 60_000, 91_000);
    },
  },
  {
    id: 'guest-update/503',
    section,
    title: '500 and 503 are BookingSystemUnavailable, with Retry-After, if any, in milliseconds',
    appliesTo: writes,
    async run(kit) {
      const code = 'booking_system_error';
      await expectPushError(kit, { status: 500, body: proxyPage }, code, {
        inDoubt: false,
        retryAfterMs: undefined,
      });
      const answer = { status: 503, headers: { 'retry-after': '30' } };
      await expectPushError(kit, answer, code, { upstreamStatus: 503, retryAfterMs: 30_000, inDoubt: false });
    },
  },
  {
    id: 'guest-update/timeout',
    section,
    title: 'no response within the timeout is BookingSystemTimeout',
    appliesTo: writes,
    async run(kit) {
      kit.partner.willAnswer(kit.writeMethod, 'hang');
      await expectRejection(kit.push(kit.waiver, { shortTimeout: true }), 'booking_system_timeout', {
        outboundErrorCode: 'timeout',
        retryable: true,
      });
    },
  },
  {
    id: 'guest-update/timeout-in-doubt',
    section,
    title: 'an update that was sent but not answered is in doubt, so that it is resent unchanged',
    appliesTo: writesContract,
    async run(kit) {
      kit.partner.willAnswer('POST', 'hang');
      const call = kit.push(kit.waiver, { shortTimeout: true });
      await expectRejection(call, 'booking_system_timeout', { inDoubt: true });
    },
  },
  {
    id: 'guest-update/reset',
    section,
    title: 'a connection that breaks after the update was sent is BookingSystemUnavailable, in doubt',
    appliesTo: writes,
    async run(kit) {
      const fields = {
        outboundErrorCode: 'connection_reset',
        ...(writesContract(kit.plugin) && { inDoubt: true }),
      };
      await expectPushError(kit, 'reset', 'booking_system_error', fields);
    },
  },
  {
    id: 'guest-update/redirect',
    section,
    title: 'a redirect is a failure and is not followed',
    appliesTo: writes,
    async run(kit) {
      for (const status of [301, 302, 303, 307]) {
        const answer = { status, headers: { location: '/elsewhere' } };
        await expectPushError(kit, answer, 'booking_system_error', { outboundErrorCode: 'redirect' });
      }
    },
  },
  {
    id: 'guest-update/too-large',
    section,
    title: 'a response over 5 MiB is not read to its end: the update is in doubt',
    appliesTo: writesContract,
    async run(kit) {
      kit.partner.willAnswer('POST', { body: brokenBodies.tooLarge('{"success":true}') });
      const error = await kit.push().catch((reason: unknown) => reason);
      const { outboundErrorCode, inDoubt } = Object(error);
      expect({ outboundErrorCode, inDoubt }).toEqual({
        outboundErrorCode: 'response_too_large',
        inDoubt: true,
      });
    },
  },
];
