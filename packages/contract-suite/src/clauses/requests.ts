import { RateLimited } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { all, hasCustomAuthentication, hasNoSession } from '../conditions.ts';
import { expectAuthentic, expectRejection } from '../expectations.ts';
import { hostileIds } from '../fixtures.ts';
import { firstRequests, type Operation, operationsOf, read, succeed, write } from './operations.ts';

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
            expectAuthentic(kit, request);
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
    appliesTo: all(hasCustomAuthentication, hasNoSession),
    async run(kit) {
      for (const request of await firstRequests(kit, kit.bookingId, { otherSecrets: true })) {
        expectAuthentic(kit, request, false);
      }
    },
  },
];

/** A plugin may send requests only through the client it is given; every clause also verifies this at its end. */
export const guardedClientClauses: readonly Clause[] = [
  {
    id: 'client/only-way-out',
    section: 'decisions, sending',
    title: 'every request is made by context.http: no fetch, no node:http, no socket',
    async run(kit) {
      for (const operation of operationsOf(kit)) await succeed(kit, operation);
    },
  },
];

const section = 'delivery, limits of a booking system';

const countedClause = (operation: Operation): Clause => ({
  id: `requests/${operation.name}-counted`,
  section,
  title: `every request of a ${operation.name} is made, and counted, by the client`,
  appliesTo: operation.appliesTo,
  async run(kit) {
    kit.partner.willAnswerEach(operation.answers(kit));
    let counted = 0;
    await operation.run(kit, {
      beforeRequest: async () => {
        counted += 1;
      },
    });
    expect(counted, 'requests that were counted').toBe(kit.partner.requests.length);
  },
});

const heldBackClause = (operation: Operation): Clause => ({
  id: `requests/${operation.name}-held-back`,
  section,
  title: `a ${operation.name} of which any request is held back rejects with that error, so that it is made later`,
  appliesTo: operation.appliesTo,
  async run(kit) {
    const answers = operation.answers(kit);
    const fields = { notSent: true as const, retryAfterMs: 700 };
    for (const place of answers.keys()) {
      kit.partner.willAnswerEach(answers.slice(0, place));
      let made = 0;
      const beforeRequest = async () => {
        made += 1;
        if (made > place) throw new RateLimited('the limits are used up', fields);
      };
      await expectRejection(operation.run(kit, { beforeRequest }), 'booking_system_rate_limited', fields);
    }
  },
});

/** Every request is made through the client that the plugin was given, which counts it and may refuse it. */
export const requestLimitClauses: readonly Clause[] = [
  countedClause(read),
  countedClause(write),
  heldBackClause(read),
  heldBackClause(write),
];
