import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { writesContract } from '../conditions.ts';
import { expectRejection } from '../expectations.ts';
import { brokenBodies } from '../fixtures.ts';
import type { PartnerAnswer } from '../kit/partner.ts';
import { expectError, write } from './operations.ts';

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
        await expectError(kit, write, { body }, 'waiver_rejected', fields);
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
        await expectError(kit, write, { status, body: { success: false } }, 'waiver_rejected', fields);
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
      await expectError(kit, write, { status: 410 }, 'waiver_rejected', fields);
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
  {
    id: 'guest-update/timeout-in-doubt',
    section,
    title: 'an update that was sent but not answered is in doubt, so that it is resent unchanged',
    appliesTo: writesContract,
    async run(kit) {
      kit.partner.willAnswer('POST', 'hang');
      // Long enough to send the request even on a busy machine.
      const call = kit.push(kit.waiver, { timeoutMs: 2_000 });
      await expectRejection(call, 'booking_system_timeout', { inDoubt: true });
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
