import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { hostileIds } from '../fixtures/hostile-ids.ts';
import { hasCustomAuthentication, hasSession } from '../manifest-predicates.ts';
import { firstRequests } from './first-requests.ts';

// Every component has a leading zero in one and none in the other, so that any difference in notation shows.
const times = [new Date('2031-02-03T04:05:06.007Z'), new Date('2031-11-23T14:35:46.117Z')];

/** The authentication of a vendor that expects more than the contract's key, verified as the vendor would. */
export const authenticationClauses: readonly Clause[] = [
  {
    id: 'authentication/authentic',
    section: 'plugin interface, authentication',
    title: 'every request is authentic, whatever booking it is about and whenever it is made',
    appliesTo: hasCustomAuthentication,
    async run(kit) {
      for (const now of times) {
        kit.now = now;
        for (const bookingId of [kit.bookingId, ...hostileIds]) {
          for (const request of await firstRequests(kit, bookingId)) {
            expect(kit.isAuthentic(request), `${request.method} ${request.path} is authentic`).toBe(true);
          }
        }
      }
    },
  },
  {
    id: 'authentication/other-secret',
    section: 'plugin interface, authentication',
    title: 'a request of an account with other secrets is not authentic',
    // With a session, wrong secrets get no token, and no request is made.
    appliesTo: (plugin) => hasCustomAuthentication(plugin) && !hasSession(plugin),
    async run(kit) {
      for (const request of await firstRequests(kit, kit.bookingId, { otherSecrets: true })) {
        expect(kit.isAuthentic(request), `${request.method} ${request.path} is authentic`).toBe(false);
      }
    },
  },
];
