import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { HostServices } from '../composition/host-services.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { readInboundCall } from './inbound-notice.ts';
import { bookingSystemOfPath, type KeyThrottle, textField, wrongKey } from './install-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool whose app pool key an inbound call carries. */
    keyPool: string | null;
  }
}

// Vendors send whole bookings, some of them with a hundred guests; one that is refused often switches its calls off.
const largestInboundBody = 1024 * 1024;

/** What inbound calls need. */
export interface InboundServices extends Pick<HostServices, 'store' | 'bookingSystems'> {
  readonly throttle: KeyThrottle;
  /** Tells the background reader that there is something to read. */
  readonly wakeRefresh: () => void;
}

function keyOutsideBody({ headers, query }: FastifyRequest): string | undefined {
  const { 'api-key': header } = headers;
  return typeof header === 'string' ? header.slice(0, 513) : textField(query, 'key');
}

/** Inbound calls: a booking system says, on behalf of a pool, that a booking is new or has changed (contract 5). */
export const inboundRoute: RouteModule<InboundServices> = (app, services) => {
  const { store, bookingSystems, throttle, wakeRefresh } = services;

  const identify = async (request: FastifyRequest, key: string | undefined) => {
    const verified =
      key === undefined
        ? undefined
        : await store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.keyPool = verified.pool;
      return;
    }
    throttle.record(request);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  };

  app.decorateRequest('keyPool', null);
  app.route({
    config: { access: 'booking-system' },
    method: 'POST',
    url: '/integration/webhook/:booking_system',
    bodyLimit: largestInboundBody,
    schema: {
      operationId: 'inboundCall',
      tags: ['Booking systems'],
      summary: 'Say that a booking is new or has changed',
      description:
        'Carries the app pool key that install answered: in the header `api-key`, or as `key` in the body or the query. The booking is read again in the background. A plugin may take its vendor’s own body instead.',
      params: z.object({ booking_system: z.string().describe('The install name of the booking system.') }),
      querystring: z.looseObject({ key: z.string().max(512).optional().describe('The app pool key.') }),
      body: z.unknown().meta({ description: 'The contract’s `{id, pool}`, or the vendor’s own.' }),
      response: {
        200: z.object({ success: z.literal(true), bookings: z.array(z.object({ id: z.string() })) }),
      },
    },
    onRequest: async (request) => {
      bookingSystems.resolve(bookingSystemOfPath(request));
      throttle.check(request);
      const key = keyOutsideBody(request);
      if (key !== undefined) await identify(request, key);
    },
    preValidation: async (request) => {
      const { body } = request;
      if (request.keyPool === null) await identify(request, textField(body, 'key'));
      const { capabilities } = bookingSystems.resolve(bookingSystemOfPath(request));
      const statedPool = textField(body, 'pool');
      // The key says whose call it is; a body that says otherwise is a mistake, or somebody else's pool.
      if (capabilities.inbound !== 'native' && statedPool !== undefined && statedPool !== request.keyPool) {
        throw new HttpProblem(403, 'forbidden', 'This app pool key belongs to another pool.');
      }
    },
    handler: async (request) => {
      const { body, query, headers, keyPool } = request;
      const plugin = bookingSystems.resolve(request.params.booking_system);
      const bookingIds = readInboundCall(plugin, { headers, query, body });
      if (keyPool !== null && bookingIds.length > 0) {
        await store.bookings.requestRefresh(keyPool, plugin.installName, [...bookingIds]);
        wakeRefresh();
      }
      return { success: true as const, bookings: bookingIds.map((id) => ({ id })) };
    },
  });
};
