import type { installationAddressFields } from '@waiver-service/api';
import type { BookingSystemPlugin } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { z } from 'zod';
import { type Caller, isAtLeast } from '../../authentication/caller.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { checkAddress } from '../checked-address.ts';

export type InstallationAddress = z.infer<z.ZodObject<typeof installationAddressFields>>;

interface Services {
  readonly outbound: Pick<Outbound, 'checkUrl'>;
  readonly store: { readonly installations: Pick<Store['installations'], 'list'> };
}

/** A booking system for a pool, installed or not. */
export interface PoolPlugin {
  readonly pool: string;
  readonly plugin: BookingSystemPlugin;
}

async function hasBaseUrl({ store }: Services, { pool, plugin }: PoolPlugin): Promise<boolean> {
  const installations = await store.installations.list(pool);
  return installations.some(
    ({ bookingSystem, baseUrl }) => bookingSystem === plugin.installName && baseUrl !== null,
  );
}

/**
 * Checks an address before it is stored.
 * @throws HttpProblem 400 that names the field, 403 if only an owner may set it
 */
export async function checkInstallationAddress(
  services: Services,
  of: PoolPlugin,
  { baseUrl, environment }: InstallationAddress,
  caller: Caller | null,
): Promise<void> {
  const { displayName, capabilities } = of.plugin;
  const { environments = [] } = capabilities;
  if (typeof environment === 'string' && !environments.includes(environment)) {
    const has = environments.length === 0 ? 'no environments' : `the environments ${environments.join(', ')}`;
    throw malformed([{ path: 'environment', message: `${displayName} has ${has}` }]);
  }
  if (baseUrl === undefined || (baseUrl === null && !(await hasBaseUrl(services, of)))) return;
  // The booking system's settings, which are secret and not the pool's, are sent to this address. Removing it sends the
  // account's key to another address.
  if (caller?.kind !== 'person' || !isAtLeast(caller.role, 'owner')) {
    throw new HttpProblem(403, 'forbidden', 'Only an owner may set the base address of an installation.');
  }
  if (baseUrl !== null) await checkAddress(services, 'baseUrl', baseUrl);
}
