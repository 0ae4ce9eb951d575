import { voidWaiver } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { changeActorOf, seesAnswers } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { missingWaiver } from './waiver-problems.ts';
import { waiverRecordAnswer } from './waiver-record.ts';

/** `POST /v1/pools/{pool}/waivers/{id}/void`: voids a waiver permanently. 200 for a voided one, too. */
@injectable()
export class VoidWaiverRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...voidWaiver,
      handler: async (request) => {
        const { pool, id } = request.params;
        const result = await this.store.waivers.void(pool, id, changeActorOf(request.caller));
        if (result.outcome === 'not-found') throw await missingWaiver(this, pool, id);
        return waiverRecordAnswer(result.record, seesAnswers(request.caller));
      },
    });
  }
}
