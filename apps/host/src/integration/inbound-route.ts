import type { PoolOfKey, Store } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { HostApp, RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { zodValidatorCompiler } from '../http/validation.ts';
import { inboundTypes, readNativeBodies } from './inbound-bodies.ts';
import { readInboundCall } from './inbound-notice.ts';
import { bookingSystemOfPath, type KeyThrottle, textField, wrongKey } from './install-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool that the app pool key of an inbound call belongs to. */
    openedPool: PoolOfKey | null;
  }
}

// Vendors send whole bookings, some with a hundred guests, and often disable their calls after one was rejected.
const maxInboundBodyBytes = 1024 * 1024;

export interface InboundServices {
  readonly store: Pick<Store, 'installations' | 'bookings'>;
  readonly bookingSystems: BookingSystemResolver;
  readonly throttle: KeyThrottle;
  /** Wakes the background reader. */
  readonly wakeRefresh: () => void;
}

function keyOutsideBody({ headers, query }: FastifyRequest): string | undefined {
  const { 'api-key': header } = headers;
  return typeof header === 'string' ? header.slice(0, 513) : textField(query, 'key');
}

const addInboundRoute: RouteModule<InboundServices> = (app, services) => {
  const { store, bookingSystems, throttle, wakeRefresh } = services;

  const identify = async (request: FastifyRequest, key: string | undefined) => {
    const verified =
      key === undefined
        ? undefined
        : await store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.openedPool = verified;
      return;
    }
    throttle.record(request, key);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  };

  readNativeBodies(
    app,
    (request) => bookingSystems.resolve(bookingSystemOfPath(request)).capabilities.inbound === 'native',
  );
  app.decorateRequest('openedPool', null);
  app.route({
    config: { access: 'booking-system' },
    method: 'POST',
    url: '/integration/webhook/:booking_system',
    bodyLimit: maxInboundBodyBytes,
    schema: {
      operationId: 'inboundCall',
      tags: ['Booking systems'],
      summary: 'Announce a new or changed booking',
      description:
        'Contains the app pool key that install returned: in the header `api-key`, or as `key` in the body or the query. The booking is read again in the background. A plugin may accept its vendor’s own body instead, as JSON, XML or a form. The response to a call that names no booking is an empty list, as it is to every call while the installation is pending.',
      consumes: inboundTypes,
      params: z.object({ booking_system: z.string().describe('The install name of the booking system.') }),
      querystring: z.looseObject({ key: z.string().max(512).optional().describe('The app pool key.') }),
      body: z.unknown().meta({ description: 'The contract’s `{id, pool}`, or the vendor’s own.' }),
      response: {
        200: z.object({ success: z.literal(true), bookings: z.array(z.object({ id: z.string() })) }),
      },
    },
    // Only ids are taken from a vendor's own body, and validated then. Anything else in it, such as a number that
    // JavaScript cannot represent, is no reason to reject the call.
    validatorCompiler: (route) =>
      route.httpPart === 'body' ? (value: unknown) => ({ value }) : zodValidatorCompiler(route),
    onRequest: async (request) => {
      bookingSystems.resolve(bookingSystemOfPath(request));
      const key = keyOutsideBody(request);
      if (key !== undefined) await identify(request, key);
    },
    preValidation: async (request) => {
      const { body } = request;
      if (request.openedPool === null) await identify(request, textField(body, 'key'));
      const { capabilities } = bookingSystems.resolve(bookingSystemOfPath(request));
      const statedPool = textField(body, 'pool');
      // The key determines the pool; a body with another one is a mistake, or an attempt on another pool.
      if (
        capabilities.inbound !== 'native' &&
        statedPool !== undefined &&
        statedPool !== request.openedPool?.pool
      ) {
        throw new HttpProblem(403, 'forbidden', 'This app pool key belongs to another pool.');
      }
    },
    handler: async (request) => {
      const { body, query, headers, openedPool } = request;
      // The calls are valid; errors before the approval could make the vendor disable them.
      if (openedPool === null || openedPool.pending) return { success: true as const, bookings: [] };
      const plugin = bookingSystems.resolve(request.params.booking_system);
      const bookingIds = readInboundCall(plugin, { headers, query, body: body ?? undefined });
      if (bookingIds.length > 0) {
        await store.bookings.requestRefresh(openedPool.pool, plugin.installName, [...bookingIds]);
        wakeRefresh();
      }
      return { success: true as const, bookings: bookingIds.map((id) => ({ id })) };
    },
  });
};

/**
 * Inbound calls: a booking system announces, on behalf of a pool, that a booking is new or has changed (contract 5).
 */
export const inboundRoute: RouteModule<InboundServices> = (app, services) => {
  // In a scope of its own, because only this route reads bodies other than JSON.
  app.register(async (scope: HostApp) => addInboundRoute(scope, services));
};
