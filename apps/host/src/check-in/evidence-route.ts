import { readEvidence } from '@waiver-service/api';
import type { StoredEvidence } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import { type Caller, seesGuests } from '../authentication/caller.ts';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { missingWaiver } from '../waiver-routes/waiver-problems.ts';

export const notSignedHere = () =>
  new HttpProblem(
    404,
    'no_evidence',
    'This waiver was not signed on the check-in page, so there is no evidence of it.',
  );

/**
 * The evidence of a waiver, for a caller who sees guests’ data.
 * @throws HttpProblem 403; 404 `no_evidence` if it was not signed on the check-in page; 404 or 410 for no such waiver
 */
export async function requireEvidence(
  services: { readonly store: Pick<Store, 'waivers' | 'signings' | 'guests'> },
  caller: Caller | null,
  { pool, id }: { readonly pool: string; readonly id: string },
): Promise<StoredEvidence> {
  const { waivers, signings } = services.store;
  if (!seesGuests(caller)) throw new HttpProblem(403, 'forbidden', 'Viewers see no guests’ data.');
  const evidence = await signings.evidence(pool, id);
  if (evidence !== undefined) return evidence;
  throw (await waivers.get(pool, id)) ? notSignedHere() : await missingWaiver(services, pool, id);
}

/** `GET /v1/pools/{pool}/waivers/{id}/evidence`: the file that `waiver-service verify` reads. */
@injectable()
export class EvidenceRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...readEvidence,
      handler: async ({ params, caller }, reply) => {
        const evidence = await requireEvidence(this, caller, params);
        return reply
          .header('content-disposition', `attachment; filename="evidence-${evidence.signing}.json"`)
          .send({ ...evidence.file });
      },
    });
  }
}
