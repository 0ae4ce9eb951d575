import type { Store } from '@waiver-service/store';
import { seesGuests } from '../../authentication/caller.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { pageOrProblem, pageQuerySchema, pageSchema } from '../../http/pages.ts';
import { missingWaiver } from '../../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../../waiver-routes/waiver-schemas.ts';
import { versionAnswer, versionSchema } from './version-answer.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/versions`: what changed in a waiver, when, and by whom. */
export const listVersionsRoute: RouteModule<{ readonly store: Pick<Store, 'waivers' | 'guests'> }> = (
  app,
  { store },
) => {
  app.route({
    config: { access: 'viewer', audited: true },
    method: 'GET',
    url: '/v1/admin/pools/:pool/waivers/:id/versions',
    schema: {
      operationId: 'listWaiverVersions',
      tags: ['Operators'],
      summary: 'List the versions of a waiver: what each changed, and who made it; newest first',
      description: 'Versions that were stored before the service kept them are missing.',
      params: waiverParamsSchema,
      querystring: pageQuerySchema,
      response: { 200: pageSchema(versionSchema) },
    },
    handler: async ({ params: { pool, id }, query, caller }) => {
      if (!(await store.waivers.get(pool, id))) throw await missingWaiver({ store }, pool, id);
      const { items, next } = await pageOrProblem(store.waivers.versionsOf(pool, id, query));
      return { items: items.map((item) => versionAnswer(item, seesGuests(caller))), next };
    },
  });
};
