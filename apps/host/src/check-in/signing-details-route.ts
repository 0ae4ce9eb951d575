import { readSigning } from '@waiver-service/api';
import { inject, injectable } from 'inversify';
import { Store } from '../given.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { requireEvidence } from './evidence-route.ts';
import { signingDetails } from './signing-details.ts';

/** `GET /v1/admin/pools/{pool}/waivers/{id}/signing`: who did what and when, and what the record proves. */
@injectable()
export class SigningDetailsRoute implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    app.route({
      ...readSigning,
      handler: async ({ params, caller }) => {
        const evidence = await requireEvidence(this, caller, params);
        const copy = await this.store.signings.copies.ofWaiver(params.pool, params.id);
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
  }
}
