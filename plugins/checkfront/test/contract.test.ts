import {
  type ContractSuiteOptions,
  type NativeAnswer,
  type NativeExchange,
  type NativeScenarios,
  runContractSuite,
} from '@waiver-service/contract-suite';
import { afterAll, beforeAll, describe, vi } from 'vitest';
import checkfront from '../src/index.ts';
import { fixture } from './fixtures.ts';
import { bookingId, detail, scenarios } from './scenarios.ts';

/** A request for guests. API v4's address is relative to v3's, the suite's `…/partner/api`. */
const guests = (answer: NativeAnswer, offset?: number): NativeExchange => ({
  request: {
    method: 'GET',
    path: `/partner/4.0/bookings/${bookingId}/guests/`,
    ...(offset === undefined ? {} : { query: { offset: String(offset) } }),
  },
  answer,
});
const twoPages = [guests({ body: fixture('guests') }), guests({ body: fixture('guests-last-page') }, 3)];
const noGuests = { data: [], meta: { records: { total: 0, limit: 25, offset: 0, nextPageUrl: null } } };

/** An account with API v4, whose guests have names. */
const guestScenarios: NativeScenarios = {
  ...scenarios,
  bodies: [
    {
      name: 'guests: two pages, and one guest who is not named yet',
      body: fixture('detail'),
      further: twoPages,
      expected: {
        booking: {
          ...detail,
          guests: [
            { id: '5c1f0e9a-0001', name: 'Noor Haddad', email: 'noor@example.com' },
            { id: '5c1f0e9a-0002', name: 'Sami Haddad' },
            { id: '5c1f0e9a-0003', name: 'Ines', email: 'ines@example.com' },
            { id: '5c1f0e9a-0004' },
            { id: '5c1f0e9a-0005', name: 'Okafor' },
          ],
        },
        warnings: ['guest_without_name'],
      },
    },
    {
      name: 'no form is filled in',
      body: fixture('detail'),
      further: [guests({ body: noGuests })],
      expected: { booking: detail },
    },
    {
      name: 'by its number: API v4 knows only the code',
      bookingId: '5120',
      body: fixture('detail'),
      further: [guests({ body: noGuests })],
      expected: { booking: detail },
    },
    {
      name: 'a cancelled booking that API v4 does not know any more',
      body: fixture('detail-cancelled'),
      further: [guests({ status: 404, body: {} })],
      expected: { booking: { ...detail, status: 'STOP', statusGroup: 'cancelled' } },
    },
  ],
  refusals: [],
};

// The requests for notes depend on the day.
beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-06-11T12:00:00Z') }));
afterAll(() => void vi.useRealTimers());

const suite = {
  isAuthentic: ({ headers }, { account: { apiKey, apiSecret } }) =>
    headers.authorization === `Basic ${btoa(`${apiKey}:${apiSecret}`)}`,
  native: scenarios,
} satisfies ContractSuiteOptions;
const apiSecret = 'planted-api-secret-41c07e5d';

runContractSuite(checkfront, { ...suite, account: { apiSecret } });

describe('an account with API v4', () => {
  runContractSuite(checkfront, { ...suite, account: { apiSecret, apiV4: true }, native: guestScenarios });
});
