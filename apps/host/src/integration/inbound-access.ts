import type { BookingSystemPlugin, InstalledAccount } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';

/** The settings and the account with which a plugin reads an inbound call, parsed by its schemas. */
export interface InboundAccess {
  readonly settings: unknown;
  /** Undefined if it is not known yet whose call it is. */
  readonly account: InstalledAccount | undefined;
}

/**
 * The settings of a booking system, and the account that it is installed with for a pool, if one is given. Undefined if
 * either is incomplete, or nothing is installed.
 */
export async function readInboundAccess(
  { installations, bookingSystems }: Pick<Store, 'installations' | 'bookingSystems'>,
  { installName, settingsSchema, accountSchema }: BookingSystemPlugin,
  pool?: string,
): Promise<InboundAccess | undefined> {
  const [configured, installation] = await Promise.all([
    bookingSystems.get(installName),
    pool === undefined ? undefined : installations.get(pool, installName),
  ]);
  const settings = settingsSchema.safeParse(configured?.settings ?? {});
  if (!settings.success) return undefined;
  if (pool === undefined) return { settings: settings.data, account: undefined };
  if (installation === undefined) return undefined;
  const { accountId, apiKey, information } = installation.account;
  const account = accountSchema.safeParse({ ...information, accountId, apiKey });
  return account.success ? { settings: settings.data, account: account.data } : undefined;
}
