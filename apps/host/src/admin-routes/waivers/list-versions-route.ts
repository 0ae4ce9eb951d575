import { listWaiverVersions } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { seesGuests } from '../../authentication/caller.ts';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { pageOf } from '../../http/pages.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { versionAnswer } from './version-answer.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
@injectable()
export class ListVersionsRoute implements RouteModule {
  constructor(@inject(Store) private readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...listWaiverVersions,
      handler: async ({ params: { pool, id }, query, caller }) => {
        if (!(await this.store.waivers.get(pool, id)))
          throw await missingWaiver({ store: this.store }, pool, id);
        return pageOf(this.store.waivers.versionsOf(pool, id, query), (item) =>
          versionAnswer(item, seesGuests(caller)),
        );
      },
    });
  }
}
