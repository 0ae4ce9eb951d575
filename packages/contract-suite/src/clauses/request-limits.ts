import { RateLimited } from '@waiver-service/core';
import { expect } from 'vitest';
import type { Clause } from '../clause.ts';
import { expectRejection } from '../expectations/rejection.ts';
import { type Operation, read, write } from './operations.ts';

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
