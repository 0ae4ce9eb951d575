import { poolIdSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { AdminSeal } from '../authentication/admin-seal.ts';
import { personOf } from '../authentication/caller.ts';
import { poolsToShow } from '../authentication/pool-access.ts';
import { sessionOf } from '../authentication/session-cookie.ts';
import type { RouteModule } from '../http/host-app.ts';
import type { Readiness } from '../operations/readiness.ts';
import { createEventStreams } from './event-streams.ts';

export interface EventServices {
  readonly store: Pick<Store, 'liveEvents' | 'personSessions' | 'credentials'>;
  readonly adminSeal: AdminSeal;
  readonly readiness: Pick<Readiness, 'onDrain'>;
  readonly baseUrl: () => string;
}

/** `GET /v1/admin/events`: which pools change, as server-sent events. */
export const eventsRoute: RouteModule<EventServices> = (app, { store, adminSeal, readiness, baseUrl }) => {
  const streams = createEventStreams({
    store,
    onError: (error) => app.log.warn({ err: error }, 'the readers of live events could not be checked'),
  });
  // While this host drains, readers reconnect to another.
  readiness.onDrain(() => streams.close());
  app.addHook('preClose', async () => streams.close());

  app.route({
    config: {
      access: 'viewer',
      poolCheck: 'by-handler',
      problems: {
        429: 'Too many calls with a wrong token from this address, or the caller has too many open streams (`too_many_streams`). See Retry-After.',
        503: 'This host has too many open streams (`too_many_streams`), is about to stop (`draining`), or its database is temporarily unavailable. See Retry-After.',
      },
    },
    method: 'GET',
    url: '/v1/admin/events',
    // Its response would never end.
    exposeHeadRoute: false,
    schema: {
      operationId: 'followEvents',
      summary: 'Follow which pools change',
      description:
        'Streams server-sent events. `change` with `{pool}` means that a waiver, a delivery or a destination of one of the caller’s pools has changed, on any host: reload what you show of that pool. It is sent at most once a second for each pool. `resync` is sent first, and whenever anything may have changed. The stream ends when the session or credential ends, and when the host stops.',
      produces: ['text/event-stream'],
      querystring: z.strictObject({
        pool: poolIdSchema
          .optional()
          .describe('Limits the events to this pool; all of the caller’s pools if omitted.'),
      }),
      response: { 200: z.unknown().describe('The stream of events.') },
    },
    handler: (request, reply) => {
      const { actor, proof } = personOf(request.caller);
      const cookie = sessionOf(request, baseUrl());
      const body = streams.open({
        actor,
        credential: typeof proof === 'object' ? proof.credential : null,
        session: cookie === undefined ? undefined : adminSeal.open(cookie).secret,
        pools: poolsToShow(request.caller, request.query.pool),
      });
      reply.headers({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store, no-transform',
        // Otherwise reverse proxies such as nginx would buffer the events.
        'x-accel-buffering': 'no',
      });
      return reply.send(body);
    },
  });
};
