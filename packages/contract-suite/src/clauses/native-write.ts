import type { SignedDocument, Waiver } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectWarningCodes } from '../expectations/fetched.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { contractWaiver } from '../fixtures/waivers.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import { takesDocuments, writesNative } from '../manifest-predicates.ts';
import { exchanging } from '../native/exchanging.ts';
import type { NativeGuestUpdate } from '../native/native-scenarios.ts';

async function expectOutcome(
  kit: ClauseKit,
  waiver: Waiver,
  expected: NativeGuestUpdate['expected'],
  document?: SignedDocument,
): Promise<void> {
  const pushing = kit.push(waiver, {}, document);
  if ('ownId' in expected) await expectRejection(pushing, expected.code, { bookingId: expected.ownId });
  else if ('code' in expected) {
    const { code, retry } = expected;
    await expectRejection(pushing, code, retry === undefined ? {} : { retry });
  } else if ('notWritten' in expected) {
    const reason = expect.stringMatching(expected.notWritten);
    expect(await pushing).toMatchObject({ accepted: false, reason });
  } else {
    const { accepted, warnings } = await pushing;
    expect(accepted).toBe(true);
    expectWarningCodes(warnings, expected.warnings);
  }
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
        const waiver = contractWaiver({ bookingId: defaultId, ...changes });
        await exchanging(kit, exchanges, () => expectOutcome(kit, waiver, expected), waiver.bookingId);
        if (!('warnings' in expected)) continue;
        kit.ranScenarios.push({ kind: 'guest-update', name });
        if (waiver.deleted) kit.ranScenarios.push({ kind: 'void', name });
      }
    },
  },
  {
    id: 'native/missing-document',
    section: 'plugin interface',
    title: 'a signed document that cannot be had changes nothing else, and is asked for once at most',
    appliesTo: takesDocuments,
    async run(kit) {
      const { guestUpdates = [], bookingId: defaultId } = kit.native;
      for (const { waiver: changes, exchanges, expected } of guestUpdates) {
        let asked = 0;
        const document: SignedDocument = async () => {
          asked += 1;
          return undefined;
        };
        const waiver = contractWaiver({ bookingId: defaultId, ...changes });
        const pushing = () => expectOutcome(kit, waiver, expected, document);
        await exchanging(kit, exchanges, pushing, waiver.bookingId);
        expect(asked, 'the number of times the document is asked for').toBeLessThanOrEqual(1);
      }
    },
  },
];
