import type { BookingSystemPlugin } from '@waiver-service/core';
import type { Caller } from '@waiver-service/http';
import { countedAddress, createFailureThrottle, HttpProblem } from '@waiver-service/http';
import type { FastifyRequest, preValidationAsyncHookHandler } from 'fastify';
import type { ServiceIdentifier } from 'inversify';
import type { Store } from '../given.ts';

/** How many calls with the same wrong key an address may make per minute, for one booking system. */
export const wrongKeysPerMinute = 10;

/** The booking system in the path, not validated. */
export function bookingSystemOfPath({ params }: FastifyRequest): string {
  return typeof params === 'object' && params !== null && 'booking_system' in params
    ? String(params.booking_system)
    : '';
}

/** A text field of a body that is not validated yet. */
export function textField(body: unknown, name: string): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value = Object.entries(body).find(([key]) => key === name)?.[1];
  return typeof value === 'string' && value.length <= 512 ? value : undefined;
}

/** 401: wrong key. */
export function wrongKey(message: string): HttpProblem {
  return new HttpProblem(401, 'unauthorized', message);
}

/** Counts wrong keys, by address, booking system and key. */
export interface KeyThrottle {
  /** @throws HttpProblem 429 */
  record(request: FastifyRequest, key: string | undefined): void;
}
export const KeyThrottle: ServiceIdentifier<KeyThrottle> = Symbol('KeyThrottle');

/** Creates the throttle that install, uninstall and inbound calls share. */
export function createKeyThrottle(): KeyThrottle {
  const throttle = createFailureThrottle(wrongKeysPerMinute);
  return {
    record(request, key) {
      throttle.record({ caller: `${countedAddress(request.ip)} ${bookingSystemOfPath(request)}`, key });
    },
  };
}

/** A booking system, by one of its install keys. */
const installer = (name: string, installKey: string): Caller => ({
  kind: 'booking-system',
  actor: `install-key:${installKey}`,
  name,
  seesGuests: false,
});

/**
 * Checks the global install key (contract 5) before anything else in the body: a caller without the key learns nothing
 * about the rest.
 */
export function requireInstallKey(
  { store }: { readonly store: Pick<Store, 'installKeys'> },
  throttle: KeyThrottle,
): preValidationAsyncHookHandler {
  return async (request) => {
    const key = textField(request.body, 'key');
    const name = bookingSystemOfPath(request);
    const found = key === undefined ? undefined : await store.installKeys.verify(name, key);
    if (found !== undefined) {
      request.caller = installer(name, found.id);
      return;
    }
    throttle.record(request, key);
    throw wrongKey('The key is missing or is not an install key of this booking system.');
  };
}

/** Where a vendor announces changed bookings; with the app pool key if the vendor only takes a URL. */
export function webhookUrlOf(
  { installName, capabilities: { inbound, inboundAddress } }: BookingSystemPlugin,
  baseUrl: string,
  poolKey: string,
): string {
  const url = new URL(`${baseUrl}/integration/webhook/${installName}`).href;
  if (inboundAddress === 'shared') return url;
  // Such vendors let one set the address of their calls, but rarely a header.
  return inbound === 'native' ? `${url}?key=${encodeURIComponent(poolKey)}` : url;
}
