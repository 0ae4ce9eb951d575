import { seesGuests } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOf, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { erasedResponse, missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';
import { versionAnswer, versionSchema } from './version-answer.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
export const listVersionsRoute: RouteModule = (app, { store }) => {
  app.route({
    config: { access: 'viewer', audited: true, problems: erasedResponse },
    method: 'GET',
    url: '/v1/admin/pools/:pool/waivers/:id/versions',
    schema: {
      operationId: 'listWaiverVersions',
      summary: 'List the versions of a waiver with their changes and authors, newest first',
      description: 'Versions from before the service recorded versions are missing.',
      params: waiverParamsSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(versionSchema) },
    },
    handler: async ({ params: { pool, id }, query, caller }) => {
      if (!(await store.waivers.get(pool, id))) throw await missingWaiver({ store }, pool, id);
      return pageOf(store.waivers.versionsOf(pool, id, query), (item) =>
        versionAnswer(item, seesGuests(caller)),
      );
    },
  });
};
