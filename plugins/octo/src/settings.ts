import type { BookingSystemAccess, InstalledAccount } from '@waiver-service/core';
import { installedAccountSchema } from '@waiver-service/plugin-kit';
import { z } from 'zod';

const capability = z.string().regex(/^[A-Za-z0-9._/-]{1,64}$/, 'a capability, such as octo/pricing');

export const octoSettingsSchema = z.object({
  capabilities: z.array(capability).max(50).default([]).describe('Sent as Octo-Capabilities.'),
  env: z
    .enum(['live', 'test'])
    .optional()
    .describe('Sent as Octo-Env by installations without an environment.'),
  waivers: z.boolean().default(false).describe('Whether to fill the vendor’s own waiver, by octo/waivers.'),
  webhooks: z
    .boolean()
    .optional()
    .describe(
      'Whether to register a webhook for each installation, by octo/webhooks. `false` removes those that were registered; without it, the system is not asked.',
    ),
});

export const octoAccountSchema = installedAccountSchema.extend({
  changesUnitItems: z
    .boolean()
    .default(false)
    .describe(
      'Whether the contacts and waivers of unit items may be changed. A supplier may then reissue every ticket of the booking; once one did, this is set to false.',
    ),
});

export type OctoSettings = z.infer<typeof octoSettingsSchema>;

/** The headers of every request. Ventrata requires Octo-Capabilities even if it is empty. */
export function octoHeaders({
  settings,
  account,
  environment,
}: BookingSystemAccess<OctoSettings, InstalledAccount>) {
  const { capabilities, waivers, webhooks } = settings;
  const env = environment ?? settings.env;
  const requested = new Set([
    ...capabilities,
    ...(waivers ? ['octo/waivers'] : []),
    // Also needed to remove webhooks.
    ...(webhooks === undefined ? [] : ['octo/webhooks']),
  ]);
  return {
    Authorization: `Bearer ${account.apiKey}`,
    'Octo-Capabilities': [...requested].join(', '),
    ...(env && { 'Octo-Env': env }),
  };
}
