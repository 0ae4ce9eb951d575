import type { Clause } from '../clause.ts';
import { operationsOf, succeed } from './operations.ts';

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
