import type { BookingSystemPlugin, InboundRequest, InstalledAccount } from '@waiver-service/core';
import type { PoolOfKey, Store } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { HttpProblem } from '../http/http-problem.ts';
import { type InboundAccess, readInboundAccess } from './inbound-access.ts';
import { unparsedBodyOf } from './inbound-bodies.ts';
import { bookingSystemOfPath, type KeyThrottle, wrongKey } from './install-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool that the app pool key of an inbound call belongs to; null at an address for all accounts. */
    openedPool: PoolOfKey | null;
  }
}

interface InboundAuthenticityParts {
  readonly store: Pick<Store, 'installations' | 'bookingSystems'>;
  readonly keyThrottle: KeyThrottle;
  readonly baseUrl: () => string;
}

/** Decides whether an inbound call comes from a booking system, by its app pool key and by its signature. */
export interface InboundAuthenticity {
  /**
   * Opens the pool that the app pool key belongs to.
   * @throws HttpProblem 401, or 429 after too many wrong keys
   */
  identify(request: FastifyRequest, key: string | undefined): Promise<void>;
  /** The call as plugins read it. */
  inboundRequest(request: FastifyRequest, access: InboundAccess): InboundRequest<unknown, InstalledAccount>;
  /**
   * Verifies the call as the vendor signs it.
   * @throws HttpProblem 401, 409 if it cannot be verified, or 429 after too many forged ones
   */
  requireAuthentic(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<void>;
}

/** Creates the {@link InboundAuthenticity} of the route of inbound calls. */
export function createInboundAuthenticity(parts: InboundAuthenticityParts): InboundAuthenticity {
  const { store, keyThrottle, baseUrl } = parts;

  async function identify(request: FastifyRequest, key: string | undefined): Promise<void> {
    const verified =
      key === undefined
        ? undefined
        : await store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.openedPool = verified;
      return;
    }
    keyThrottle.record(request, key);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  }

  const inboundRequest = (
    request: FastifyRequest,
    access: InboundAccess,
  ): InboundRequest<unknown, InstalledAccount> => ({
    method: request.method,
    // Signatures cover the address that the vendor called.
    url: new URL(`${baseUrl()}${request.url}`),
    headers: request.headers,
    query: z.record(z.string(), z.unknown()).parse(request.query),
    rawBody: unparsedBodyOf(request).bytes,
    now: new Date(),
    ...access,
  });

  async function requireAuthentic(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<void> {
    const { installName, displayName } = plugin;
    const access = await readInboundAccess(store, plugin, request.openedPool?.pool);
    if (access === undefined) {
      throw new HttpProblem(
        409,
        'booking_system_not_configured',
        `Calls of ${displayName} cannot be verified: its settings or its account are not complete.`,
      );
    }
    const authenticity = await Promise.resolve(
      plugin.inboundAuthenticity?.(inboundRequest(request, access)),
    ).catch((error: unknown) => {
      request.log.warn({ err: error, bookingSystem: installName }, 'an inbound call could not be verified');
      return 'forged';
    });
    if (authenticity === 'authentic') return;
    request.log.info({ bookingSystem: installName, authenticity }, 'an inbound call was refused');
    keyThrottle.record(request, undefined);
    throw wrongKey(
      authenticity === 'stale'
        ? `The signature of this call is of another time: it was recorded, or a clock is wrong.`
        : `This call is not authenticated as ${displayName} does.`,
    );
  }

  return { identify, inboundRequest, requireAuthentic };
}
