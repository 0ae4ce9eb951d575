import { z } from 'zod';
import { seesGuests } from '../authentication/caller.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { missingWaiver } from '../waiver-routes/waiver-problems.ts';
import { waiverParamsSchema } from '../waiver-routes/waiver-schemas.ts';

/** 404: the waiver was not signed on the check-in page. */
export const notSignedHere = (): HttpProblem =>
  new HttpProblem(
    404,
    'no_evidence',
    'This waiver was not signed on the check-in page, so there is no evidence of it.',
  );

/** `GET /v1/pools/{pool}/waivers/{id}/evidence`: the file that `waiver-service verify` reads. */
export const evidenceRoute: RouteModule = (app, services) => {
  const { waivers, signings } = services.store;
  app.route({
    config: { access: 'waivers:read', audited: true },
    method: 'GET',
    url: '/v1/pools/:pool/waivers/:id/evidence',
    schema: {
      operationId: 'readEvidence',
      tags: ['Check-in'],
      summary: 'The sealed record of what was signed, to be verified by anyone',
      params: waiverParamsSchema,
      response: { 200: z.looseObject({ format: z.string() }).describe('See docs/evidence.md.') },
    },
    handler: async ({ params: { pool, id }, caller }, reply) => {
      if (!seesGuests(caller)) throw new HttpProblem(403, 'forbidden', 'Viewers see no guests’ data.');
      const evidence = await signings.evidence(pool, id);
      if (evidence === undefined) {
        throw (await waivers.get(pool, id)) ? notSignedHere() : await missingWaiver(services, pool, id);
      }
      return reply
        .header('content-disposition', `attachment; filename="evidence-${evidence.signing}.json"`)
        .send({ ...evidence.file });
    },
  });
};
