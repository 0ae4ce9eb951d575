import type { BookingSystemPlugin } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import { z } from 'zod';
import { type Caller, isAtLeast } from '../../authentication/caller.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { addressSchema, checkAddress } from '../checked-address.ts';

export const installationAddressFields = {
  baseUrl: addressSchema
    .nullable()
    .optional()
    .describe('Instead of the booking system’s base address, for an owner to set; null returns to that.'),
  environment: z
    .enum(['live', 'test'])
    .nullable()
    .optional()
    .describe(
      'If the booking system has several (`capabilities.environments`); null returns to the usual one.',
    ),
};

export type InstallationAddress = z.infer<z.ZodObject<typeof installationAddressFields>>;

/**
 * Checks an address before it is stored.
 * @throws HttpProblem 400 that names the field, 403 where only an owner may set it
 */
export async function checkInstallationAddress(
  services: { readonly outbound: Pick<Outbound, 'checkUrl'> },
  { displayName, capabilities: { environments = [] } }: BookingSystemPlugin,
  { baseUrl, environment }: InstallationAddress,
  caller: Caller | null,
): Promise<void> {
  if (typeof environment === 'string' && !environments.includes(environment)) {
    const has = environments.length === 0 ? 'no environments' : `the environments ${environments.join(', ')}`;
    throw malformed([{ path: 'environment', message: `${displayName} has ${has}` }]);
  }
  if (typeof baseUrl !== 'string') return;
  // The settings of the booking system, which are secret and not the pool's, are sent to this address.
  if (caller?.kind !== 'person' || !isAtLeast(caller.role, 'owner')) {
    throw new HttpProblem(403, 'forbidden', 'Only an owner may set the base address of an installation.');
  }
  await checkAddress(services, 'baseUrl', baseUrl);
}
