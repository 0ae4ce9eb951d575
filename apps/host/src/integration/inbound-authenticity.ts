import type { BookingSystemPlugin, InboundRequest, InstalledAccount } from '@waiver-service/core';
import type { PoolOfKey } from '@waiver-service/store';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import { BaseUrl, Store } from '../given.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { type InboundAccess, readInboundAccess } from './inbound-access.ts';
import { unparsedBodyOf } from './inbound-bodies.ts';
import { bookingSystemOfPath, KeyThrottle, wrongKey } from './install-key.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The pool that the app pool key of an inbound call belongs to; null at an address for all accounts. */
    openedPool: PoolOfKey | null;
  }
}

/** Decides whether an inbound call comes from a booking system, by its app pool key and by its signature. */
@injectable()
export class InboundAuthenticity {
  constructor(
    @inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @inject(Store) private readonly store: Store,
    @inject(KeyThrottle) private readonly keyThrottle: KeyThrottle,
  ) {}

  /**
   * Opens the pool that the app pool key belongs to.
   * @throws HttpProblem 401, or 429 after too many wrong keys
   */
  async identify(request: FastifyRequest, key: string | undefined): Promise<void> {
    const verified =
      key === undefined
        ? undefined
        : await this.store.installations.verifyPoolKey(bookingSystemOfPath(request), key);
    if (verified !== undefined) {
      request.openedPool = verified;
      return;
    }
    this.keyThrottle.record(request, key);
    throw wrongKey('The app pool key is missing or is not valid for this booking system.');
  }

  /** The call as plugins read it. */
  inboundRequest(request: FastifyRequest, access: InboundAccess): InboundRequest<unknown, InstalledAccount> {
    return {
      method: request.method,
      // Signatures cover the address that the vendor called.
      url: new URL(`${this.baseUrl()}${request.url}`),
      headers: request.headers,
      query: z.record(z.string(), z.unknown()).parse(request.query),
      rawBody: unparsedBodyOf(request).bytes,
      now: new Date(),
      ...access,
    };
  }

  /**
   * Verifies the call as the vendor signs it.
   * @throws HttpProblem 401, 409 if it cannot be verified, or 429 after too many forged ones
   */
  async requireAuthentic(request: FastifyRequest, plugin: BookingSystemPlugin): Promise<void> {
    const { installName, displayName } = plugin;
    const access = await readInboundAccess(this.store, plugin, request.openedPool?.pool);
    if (access === undefined) {
      throw new HttpProblem(
        409,
        'booking_system_not_configured',
        `Calls of ${displayName} cannot be verified: its settings or its account are not complete.`,
      );
    }
    const authenticity = await Promise.resolve(
      plugin.inboundAuthenticity?.(this.inboundRequest(request, access)),
    ).catch((error: unknown) => {
      request.log.warn({ err: error, bookingSystem: installName }, 'an inbound call could not be verified');
      return 'forged';
    });
    if (authenticity === 'authentic') return;
    request.log.info({ bookingSystem: installName, authenticity }, 'an inbound call was refused');
    this.keyThrottle.record(request, undefined);
    throw wrongKey(
      authenticity === 'stale'
        ? `The signature of this call is of another time: it was recorded, or a clock is wrong.`
        : `This call is not authenticated as ${displayName} does.`,
    );
  }
}
