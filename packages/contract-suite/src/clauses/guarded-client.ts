import type { Clause } from '../clause.ts';
import { writes } from '../manifest-predicates.ts';

/** Whatever a plugin asks for is asked for by the client that it was given; after each clause, that is verified. */
export const guardedClientClauses: readonly Clause[] = [
  {
    id: 'client/only-way-out',
    section: 'decisions, sending',
    title: 'every request is made by context.http: no fetch, no node:http, no socket',
    async run(kit) {
      for (const { method, answer } of kit.readAnswers) kit.partner.willAnswer(method, answer);
      await kit.read();
      if (!writes(kit.plugin)) return;
      for (const { method, answer } of kit.writeAnswers) kit.partner.willAnswer(method, answer);
      await kit.push();
    },
  },
];
