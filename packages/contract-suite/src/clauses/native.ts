import { bookingSchema, isBookingSystemError, type SignedDocument } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { readsNative, takesDocuments, writesNative } from '../conditions.ts';
import { expectRejection, expectWarningCodes } from '../expectations.ts';
import { contractWaiver, hostileIds, strayValues, withEachValue } from '../fixtures.ts';
import type { ClauseKit } from '../kit/clause-kit.ts';
import {
  type Address,
  exchanging,
  expectNativeRequest,
  expectOutcome,
  inScenario,
  type Scenario,
  scenariosOf,
} from '../native/exchanging.ts';

const section = 'plugin interface';
const appliesTo = readsNative;

/** Reading a vendor's own form, by the scenarios in the plugin's test. */
export const nativeReadClauses: readonly Clause[] = [
  {
    id: 'native/read-request',
    section,
    title: 'a booking is requested as the vendor documents it, with any id encoded',
    appliesTo,
    async run(kit) {
      const { readRequest, notFound, bookingId: known } = kit.native;
      for (const bookingId of [known, ...hostileIds]) {
        kit.partner.willAnswer(readRequest.method, notFound);
        await kit.read(bookingId).catch(() => undefined);
        expectNativeRequest(kit, kit.partner.requests.at(-1), readRequest, bookingId);
      }
    },
  },
  {
    id: 'native/bodies',
    section,
    title: 'each of the vendor’s bodies yields the expected booking and warnings',
    appliesTo,
    async run(kit) {
      const { bodies, readRequest, bookingId: defaultId } = kit.native;
      for (const { name, bookingId = defaultId, body, further = [], expected } of bodies) {
        const exchanges = [{ request: readRequest, answer: { body } }, ...further];
        await inScenario(name, async () => {
          const fetched = await exchanging(kit, exchanges, () => kit.read(bookingId), bookingId);
          expect(fetched.form).toBe('native');
          expect(fetched.booking).toEqual(expected.booking);
          expectWarningCodes(fetched.warnings, expected.warnings);
          bookingSchema.parse(fetched.booking);
        });
        kit.ranScenarios.push({ kind: 'body', name });
      }
    },
  },
  {
    id: 'native/not-found',
    section: 'plugin interface, errors',
    title: 'the vendor’s response for an unknown booking is BookingNotFound',
    appliesTo,
    async run(kit) {
      kit.partner.willAnswer(kit.readMethod, kit.native.notFound);
      await expectRejection(kit.read(), 'booking_not_found');
    },
  },
  {
    id: 'native/refusals',
    section: 'plugin interface, errors',
    title: 'each of the vendor’s other error responses is the expected error',
    appliesTo,
    async run(kit) {
      for (const { name, answer, code } of kit.native.refusals ?? []) {
        kit.partner.willAnswer(kit.readMethod, answer);
        await inScenario(name, async () => void (await expectRejection(kit.read(), code)));
        kit.ranScenarios.push({ kind: 'refusal', name });
      }
    },
  },
];

/** The vendor's double, which judges each request and shows what it led to. */
export const simulatedClauses: readonly Clause[] = [
  {
    id: 'native/simulated',
    section,
    title: 'a simulated vendor refuses no request, and then stores what the scenario says',
    appliesTo,
    run({ simulationFailures: [failure] }) {
      if (failure !== undefined) throw failure;
    },
  },
];

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
        const pushing = () => expectOutcome(kit.push(waiver), expected);
        await inScenario(name, () => exchanging(kit, exchanges, pushing, waiver.bookingId));
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
      for (const { name, waiver: changes, exchanges, expected } of guestUpdates) {
        let asked = 0;
        const document: SignedDocument = async () => {
          asked += 1;
          return undefined;
        };
        const waiver = contractWaiver({ bookingId: defaultId, ...changes });
        const pushing = () => expectOutcome(kit.push(waiver, {}, document), expected);
        await inScenario(name, () => exchanging(kit, exchanges, pushing, waiver.bookingId));
        expect(asked, 'the number of times the document is asked for').toBeLessThanOrEqual(1);
      }
    },
  },
];

/** Plays a scenario with another body in one of its answers. */
async function expectJudged(kit: ClauseKit, scenario: Scenario, place: number, body: unknown): Promise<void> {
  const { of, steps, waiver, call } = scenario;
  kit.partner.willAnswerAll((_, nth) => {
    const answer = steps[nth]?.answer ?? { status: 404 };
    return nth === place ? { ...answer, body } : answer;
  });
  try {
    const result = await call({ waiver, account: {} });
    if (of === 'read') bookingSchema.parse(Object(result).booking);
  } catch (error) {
    if (!isBookingSystemError(error)) throw error;
  }
}

/** The same field of answers to requests that differ in their ids, and of all entries of a list, is tried once. */
const fieldOf = ({ of }: Scenario, { method, segments }: Address, where: string) =>
  [of, method, segments.length, where.replaceAll(/\d+/g, '0')].join(' ');

async function expectAnyValueJudged(kit: ClauseKit): Promise<void> {
  const tried = new Set<string>();
  for (const scenario of scenariosOf(kit)) {
    for (const [place, { address, answer }] of scenario.steps.entries()) {
      for (const { where, change } of withEachValue(answer.body)) {
        const field = fieldOf(scenario, address, where);
        if (tried.has(field)) continue;
        tried.add(field);
        for (const value of strayValues) {
          await inScenario(
            `${scenario.name}, with ${JSON.stringify(value)} as ${where || 'the body'} of answer ${place + 1}`,
            () => expectJudged(kit, scenario, place, change(value)),
          );
        }
      }
    }
  }
}

/** Values in a vendor's answers that its documents do not promise. */
export const nativeValueClauses: readonly Clause[] = [
  {
    id: 'native/any-value',
    section: 'plugin interface, errors',
    title:
      'whatever stands in a field of an answer, the call ends with a result, a read with a valid booking, or with one of core’s errors',
    appliesTo: readsNative,
    run: expectAnyValueJudged,
  },
];
