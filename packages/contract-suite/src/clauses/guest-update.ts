import type { Waiver } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { all, sendsKeyHeader, takesVoids, writesContract } from '../conditions.ts';
import {
  expectEncoded,
  expectNoSecretInUrl,
  expectQueryValue,
  expectRejection,
  onlyRequest,
  rawQueryValues,
} from '../expectations.ts';
import { brokenBodies, contractWaiver, hostileIds, waiverWithoutGuestId } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import type { PartnerAnswer, PartnerRequest } from '../kit/partner.ts';
import { expectError, write } from './operations.ts';

const section = 'contract 4.2';
const appliesTo = writesContract;

/** Writes a waiver and returns its request. */
async function requestOfPush(kit: ClauseKit, waiver: Waiver = kit.waiver): Promise<PartnerRequest> {
  const before = kit.partner.requests.length;
  kit.partner.willAnswer('POST', { body: { success: true } });
  await kit.push(waiver);
  return onlyRequest(kit.partner.requests.slice(before));
}

/** The last segment of the path, as the plugin's manifest declares it. */
function idInPath({ contract: { guestId } }: ClauseKit, { id, bookingGuestId }: Waiver): string {
  if (guestId === 'none') return '';
  return guestId === 'waiver-id' ? id : (bookingGuestId ?? id);
}

function expectPath(kit: ClauseKit, { path }: PartnerRequest, waiver: Waiver): void {
  expect(path).toMatch(/^\/bookings\/[^/]+\/guests\/[^/]*$/);
  const [, , bookingId, , id] = path.split('/');
  expectEncoded(bookingId, waiver.bookingId, 'the booking id in the path');
  expectEncoded(id, idInPath(kit, waiver), 'the id at the end of the path');
}

const asBytes = (waiver: Waiver) => JSON.stringify({ waiver });

/** The request of the contract's Guest Update. */
export const guestUpdateRequestClauses: readonly Clause[] = [
  {
    id: 'guest-update/address',
    section,
    title: 'POSTs to the booking and the guest, with the id that the manifest declares',
    appliesTo,
    async run(kit) {
      expectPath(kit, await requestOfPush(kit), kit.waiver);
    },
  },
  {
    id: 'guest-update/address-without-guest-id',
    section,
    title: 'a guest without an id is addressed by the waiver id, or by nothing, as the manifest declares',
    appliesTo,
    async run(kit) {
      const waiver = waiverWithoutGuestId();
      expectPath(kit, await requestOfPush(kit, waiver), waiver);
    },
  },
  {
    id: 'guest-update/id-encoding',
    section: 'contract 4.2, 8',
    title: 'any booking, guest and waiver id arrives unchanged, in path and query',
    appliesTo,
    async run(kit) {
      for (const id of hostileIds) {
        const known = contractWaiver({ id: `w${id}`.slice(0, 60), bookingId: id, bookingGuestId: id });
        for (const waiver of [known, waiverWithoutGuestId({ id })]) {
          const request = await requestOfPush(kit, waiver);
          expectPath(kit, request, waiver);
          expectQueryValue(request, 'bookingId', waiver.bookingId);
          if (waiver.bookingGuestId === undefined) continue;
          expectQueryValue(request, 'bookingGuestId', waiver.bookingGuestId);
        }
      }
    },
  },
  {
    id: 'guest-update/dot-segments',
    section: 'decisions, sending',
    title: 'an id "." or "..", which would change the address, is refused before any request',
    appliesTo,
    async run(kit) {
      const refused = { code: 'waiver_rejected', retry: 'never' };
      for (const id of ['.', '..']) {
        const push = kit.push(contractWaiver({ bookingId: id }));
        await expect(push, `the booking id ${id}`).rejects.toMatchObject(refused);
        if (kit.contract.guestId === 'none') continue;
        const waiver = contractWaiver({ id, bookingGuestId: id });
        await expect(kit.push(waiver), `the guest id ${id}`).rejects.toMatchObject(refused);
      }
      expect(kit.partner.requests).toEqual([]);
    },
  },
  {
    id: 'guest-update/query',
    section,
    title: 'the query has the booking id and the guest id',
    appliesTo,
    async run(kit) {
      const request = await requestOfPush(kit);
      expectQueryValue(request, 'bookingId', kit.waiver.bookingId);
      expectQueryValue(request, 'bookingGuestId', 'G-1');
    },
  },
  {
    id: 'guest-update/query-without-guest-id',
    section,
    title: 'an unknown guest id is omitted from the query',
    appliesTo,
    async run(kit) {
      const request = await requestOfPush(kit, waiverWithoutGuestId());
      expect(rawQueryValues(request, 'bookingGuestId')).toEqual([]);
    },
  },
  {
    id: 'guest-update/auth-header',
    section: 'contract 4.2, 5',
    title: 'the account’s key is in the header that the manifest declares for Guest Update',
    appliesTo: all(writesContract, sendsKeyHeader),
    async run(kit) {
      const { headers } = await requestOfPush(kit);
      expect(headers.get(kit.contract.guestUpdateAuthHeaderName)).toBe(kit.account.apiKey);
    },
  },
  {
    id: 'guest-update/no-secret-in-url',
    section: 'decisions, sending',
    title: 'the URL of a Guest Update contains no secret but what `authenticate` adds',
    appliesTo,
    async run(kit) {
      expectNoSecretInUrl(kit, await requestOfPush(kit));
    },
  },
  {
    id: 'guest-update/content-type',
    section,
    title: 'the content type is application/json',
    appliesTo,
    async run(kit) {
      const { headers } = await requestOfPush(kit);
      expect(headers.get('content-type')).toMatch(/^application\/json(?:; *charset=utf-8)?$/i);
    },
  },
  {
    id: 'guest-update/body',
    section: 'contract 2.5, 4.2',
    title: 'the body is the waiver, byte for byte, under "waiver"',
    appliesTo,
    async run(kit) {
      const { body } = await requestOfPush(kit);
      expect(body).toBe(asBytes(kit.waiver));
    },
  },
  {
    id: 'guest-update/body-with-shared-answers',
    section: 'contract 2.5',
    title: 'answers that the installation shares are fields of the waiver, unchanged',
    appliesTo,
    async run(kit) {
      const waiver = contractWaiver({
        dateOfBirth: '1990-01-02',
        minor: false,
        height: 171,
        ziel: 'Höhe 🧗',
      });
      expect((await requestOfPush(kit, waiver)).body).toBe(asBytes(waiver));
    },
  },
  {
    id: 'guest-update/body-without-guest-id',
    section: 'decisions, sending',
    title: 'an unknown guest id is omitted from the body: no null, no empty text',
    appliesTo,
    async run(kit) {
      const { body } = await requestOfPush(kit, waiverWithoutGuestId());
      expect(body).toBe(asBytes(waiverWithoutGuestId()));
      expect(body).not.toContain('bookingGuestId');
    },
  },
  {
    id: 'guest-update/void',
    section: 'contract 2.5, 3',
    title: 'a void is sent like any other update, with deleted true',
    appliesTo: all(writesContract, takesVoids),
    async run(kit) {
      const waiver = contractWaiver({ deleted: true });
      const request = await requestOfPush(kit, waiver);
      expectPath(kit, request, waiver);
      expect(request.body).toBe(asBytes(waiver));
    },
  },
];

const answerSection = 'decisions, sending';

/** The result of the contract's Guest Update for each response. */
export const guestUpdateAnswerClauses: readonly Clause[] = [
  {
    id: 'guest-update/success',
    section: answerSection,
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
    section: answerSection,
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
    section: answerSection,
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
    section: answerSection,
    title: '410 is final: no retry',
    appliesTo: writesContract,
    async run(kit) {
      const fields = { retry: 'never', retryable: false, upstreamStatus: 410 };
      await expectError(kit, write, { status: 410 }, 'waiver_rejected', fields);
    },
  },
  {
    id: 'guest-update/other-refusals',
    section: answerSection,
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
    section: answerSection,
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
    section: answerSection,
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
