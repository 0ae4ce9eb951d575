import { readMe } from '@waiver-service/api';
import { personOf } from '../../authentication/caller.ts';
import type { HostApp } from '../../http/host-app.ts';

/** `GET /v1/admin/me`: who the caller is. */
export function meRoute(app: HostApp): void {
  app.route({
    ...readMe,
    handler: async ({ caller }) => {
      const { name, role, pools } = personOf(caller);
      return { name, role, pools: pools === 'all' ? null : [...pools] };
    },
  });
}
