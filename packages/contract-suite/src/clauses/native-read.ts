import { bookingSchema } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectWarningCodes } from '../expectations/fetched.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { hostileIds } from '../fixtures/hostile-ids.ts';
import { readsNative } from '../manifest-predicates.ts';
import { exchanging } from '../native/exchanging.ts';
import { expectNativeRequest } from '../native/expect-native-request.ts';

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
        const fetched = await exchanging(kit, exchanges, () => kit.read(bookingId), bookingId);
        expect(fetched.form, name).toBe('native');
        expect(fetched.booking, name).toEqual(expected.booking);
        expectWarningCodes(fetched.warnings, expected.warnings);
        bookingSchema.parse(fetched.booking);
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
        await expectRejection(kit.read(), code);
        kit.ranScenarios.push({ kind: 'refusal', name });
      }
    },
  },
];
