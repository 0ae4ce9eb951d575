import { listWaiverVersions } from '@waiver-service/api';
import { seesGuests } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf } from '../../http/pages.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { versionAnswer } from './version-answer.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
export const listVersionsRoute: RouteModule = (app, { store }) => {
  app.route({
    ...listWaiverVersions,
    handler: async ({ params: { pool, id }, query, caller }) => {
      if (!(await store.waivers.get(pool, id))) throw await missingWaiver({ store }, pool, id);
      return pageOf(store.waivers.versionsOf(pool, id, query), (item) =>
        versionAnswer(item, seesGuests(caller)),
      );
    },
  });
};
