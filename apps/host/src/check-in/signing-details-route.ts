import { readSigning } from '@waiver-service/api';
import type { RouteModule } from '../http/host-app.ts';
import { requireEvidence } from './evidence-route.ts';
import { signingDetails } from './signing-details.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/signing`: who did what and when, and what the record proves. */
export const signingDetailsRoute: RouteModule = (app, services) => {
  app.route({
    ...readSigning,
    handler: async ({ params, caller }) => {
      const evidence = await requireEvidence(services, caller, params);
      const copy = await services.store.signings.copies.ofWaiver(params.pool, params.id);
      const { guests, acts, seal, ...details } = signingDetails(evidence.file);
      return {
        ...details,
        guests: [...guests],
        acts: [...acts],
        seal: { ...seal, findings: [...seal.findings] },
        copy: copy ?? null,
      };
    },
  });
};
