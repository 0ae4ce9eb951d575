import { voidWaiver } from '@waiver-service/api';
import { changeActorOf, seesAnswers } from '../authentication/caller.ts';
import type { RouteModule } from '../http/host-app.ts';
import { missingWaiver } from './waiver-problems.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

/** `POST /v1/pools/{pool}/waivers/{id}/void`: voids a waiver permanently. 200 for a voided one, too. */
export const voidWaiverRoute: RouteModule = (app, services) => {
  app.route({
    ...voidWaiver,
    handler: async (request) => {
      const { pool, id } = request.params;
      const result = await services.store.waivers.void(pool, id, changeActorOf(request.caller));
      if (result.outcome === 'not-found') throw await missingWaiver(services, pool, id);
      return waiverRecordAnswer(result.record, seesAnswers(request.caller));
    },
  });
};
