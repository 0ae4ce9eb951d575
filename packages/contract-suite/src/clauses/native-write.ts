import type { Waiver } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectWarningCodes } from '../expectations/fetched.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { contractWaiver } from '../fixtures/waivers.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { writesNative } from '../manifest-predicates.ts';
import { expectNativeRequest } from '../native/expect-native-request.ts';
import type { NativeGuestUpdate } from '../native/native-scenarios.ts';

type ExpectedRejection = Extract<NativeGuestUpdate['expected'], { readonly code: unknown }>;

function rejectionFields(expected: ExpectedRejection): Readonly<Record<string, unknown>> {
  if ('ownId' in expected) return { bookingId: expected.ownId };
  return expected.retry === undefined ? {} : { retry: expected.retry };
}

async function expectPushed(
  kit: ClauseKit,
  waiver: Waiver,
  expected: Exclude<NativeGuestUpdate['expected'], ExpectedRejection>,
): Promise<void> {
  const pushed = await kit.push(waiver);
  if ('notWritten' in expected) {
    expect(pushed).toMatchObject({ accepted: false, reason: expect.stringMatching(expected.notWritten) });
    return;
  }
  expect(pushed.accepted).toBe(true);
  expectWarningCodes(pushed.warnings, expected.warnings);
}

/** Writing in a vendor's own form, by the scenarios in the plugin's test. */
export const nativeWriteClauses: readonly Clause[] = [
  {
    id: 'native/guest-updates',
    section: 'plugin interface',
    title: 'each waiver is written by exactly the requests of its scenario, with the expected result',
    appliesTo: writesNative,
    async run(kit) {
      const { guestUpdates, bookingId: defaultId } = kit.native;
      if (!guestUpdates)
        throw new Error('capabilities.guestUpdate is true: native.guestUpdates must be given');
      for (const { name, waiver: changes, exchanges, expected } of guestUpdates) {
        const before = kit.partner.requests.length;
        for (const { request, answer } of exchanges) kit.partner.willAnswer(request.method, answer);
        const waiver = contractWaiver({ bookingId: defaultId, ...changes });
        if ('code' in expected) {
          await expectRejection(kit.push(waiver), expected.code, rejectionFields(expected));
        } else await expectPushed(kit, waiver, expected);
        for (const [index, { request }] of exchanges.entries()) {
          const made = kit.partner.requests[before + index];
          expectNativeRequest(kit, made, request, waiver.bookingId);
        }
        if (!('warnings' in expected)) continue;
        kit.ranScenarios.push({ kind: 'guest-update', name });
        if (waiver.deleted) kit.ranScenarios.push({ kind: 'void', name });
      }
    },
  },
];
