import type { InstallRequest, InstallResult } from '../../src/index.ts';
import { openTestStore } from './open-test-store.ts';

/** An install of `standard` for the pool `p1`. */
export const installRequest: InstallRequest = {
  bookingSystem: 'standard',
  pool: 'p1',
  accountId: 'acc',
  apiKey: 'partner-key',
  information: { region: 'north' },
  writeUnit: 'waiver',
  guestId: 'booking-guest-id',
  takesGuestUpdates: true,
  keyOverlapMs: 3_600_000,
  madeBy: 'booking-system',
};

/** The app pool key that an install issued. */
export function poolKeyOf(result: InstallResult): string {
  if (!('poolKey' in result)) throw new Error(`no pool key: ${result.outcome}`);
  return result.poolKey;
}

/** A store with a pool `p1` and `standard` installed. */
export async function openInstalledStore(options: Parameters<typeof openTestStore>[0] = {}) {
  const opened = await openTestStore(options);
  await opened.store.pools.put({ id: 'p1', name: 'One' });
  await opened.store.installations.install(installRequest);
  return opened;
}
