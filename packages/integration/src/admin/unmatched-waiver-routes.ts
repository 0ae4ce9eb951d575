import {
  attachUnmatchedWaiver,
  dismissUnmatchedWaiver,
  listUnmatchedWaivers,
  type UnmatchedWaiver,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { type Caller, changeActorOf, HttpProblem, pageOf, seesGuests } from '@waiver-service/http';
import type { UnmatchedReason } from '@waiver-service/store';
import type { MissingReference } from '@waiver-service/waivers';
import { inject, injectable } from 'inversify';
import { Store } from '../given.ts';
import { waiverNotFound, waiverRecordAnswer, waiverVoided } from '../waivers/waiver-problems.ts';
import { requirePool } from './admin-paths.ts';

const answerOf = (waiver: UnmatchedWaiver, caller: Caller | null): UnmatchedWaiver =>
  seesGuests(caller) ? waiver : { ...waiver, name: null, proposals: null, redacted: true };

const notListed = (id: string) =>
  new HttpProblem(
    404,
    'unmatched_waiver_not_found',
    `This pool lists no waiver ${JSON.stringify(id)} whose guest or booking is gone.`,
  );

const missingReferences: { readonly [Reason in UnmatchedReason]: MissingReference } = {
  guest_gone: 'guest',
  booking_gone: 'booking',
};

/** Waivers whose guest or booking is gone from the booking system, and what a person does about them. */
@injectable()
export class UnmatchedWaiverRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...listUnmatchedWaivers,
      handler: async ({ params, query, caller }) => {
        await requirePool(this, params.pool);
        return pageOf(store.unmatchedWaivers.list(params.pool, query), (waiver) => answerOf(waiver, caller));
      },
    });

    app.route({
      ...attachUnmatchedWaiver,
      handler: async ({ params: { pool, id }, body, caller }) => {
        const reason = await store.unmatchedWaivers.reasonFor(pool, id);
        if (reason === undefined) throw notListed(id);
        const result = await store.waivers.update(pool, id, body, {
          missing: missingReferences[reason],
          by: changeActorOf(caller),
        });
        if (result.outcome === 'not-found') throw waiverNotFound(id);
        if (result.outcome === 'voided') throw waiverVoided(id);
        if (result.outcome === 'answers-too-large') throw new Error('answers grew without being changed');
        return waiverRecordAnswer(result.record, seesGuests(caller));
      },
    });

    app.route({
      ...dismissUnmatchedWaiver,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await store.unmatchedWaivers.dismiss(pool, id))) throw notListed(id);
        return reply.code(204).send(null);
      },
    });
  }
}
