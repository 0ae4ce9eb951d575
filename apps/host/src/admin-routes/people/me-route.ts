import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import type { HostApp } from '../../http/host-app.ts';
import { roleSchema, shownPoolsSchema } from './person-fields.ts';

/** `GET /v1/admin/me`: who the caller is. */
export function meRoute(app: HostApp): void {
  app.route({
    config: { access: 'viewer', poolCheck: 'none' },
    method: 'GET',
    url: '/v1/admin/me',
    schema: {
      operationId: 'readMe',
      summary: 'Read the name, role and pools of the caller',
      response: { 200: z.object({ name: z.string(), role: roleSchema, pools: shownPoolsSchema }) },
    },
    handler: async ({ caller }) => {
      const { name, role, pools } = personOf(caller);
      return { name, role, pools: pools === 'all' ? null : [...pools] };
    },
  });
}
