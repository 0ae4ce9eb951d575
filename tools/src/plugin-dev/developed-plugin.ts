import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BookingSystemPlugin, contractChoicesSchema } from '@waiver-service/core';
import {
  type ReceivedRequest,
  seededBookings,
  startBookingSystem,
  type VendorJourney,
  type VendorSystem,
} from '@waiver-service/simulator';
import { repository } from '../outside/run.ts';

/** A simulated vendor whose calls are shown. */
export interface WatchedSystem extends VendorSystem {
  readonly received: readonly ReceivedRequest[];
}

/** How a plugin is tried: its simulator, and an account and a booking there. */
export type PluginTrial = Pick<
  VendorJourney<WatchedSystem>,
  'start' | 'settings' | 'account' | 'bookingId' | 'announce'
>;

export const folderOf = (name: string): string => join(repository, 'plugins', name);

const importFile = (path: string) => import(pathToFileURL(path).href);

/** A vendor's own API is tried by the plugin's journey; a system that follows the contract by the common simulator. */
export async function trialOf(name: string): Promise<PluginTrial> {
  const journey = join(folderOf(name), 'test/journey.ts');
  if (existsSync(journey)) {
    const module: { readonly default: PluginTrial } = await importFile(journey);
    return module.default;
  }
  const module: { readonly default: BookingSystemPlugin } = await importFile(
    join(folderOf(name), 'src/index.ts'),
  );
  const choices = contractChoicesSchema.safeParse(module.default.contract);
  if (!choices.success) {
    throw new Error(
      `plugins/${name} has no test/journey.ts, by which a system with its own API is started and connected`,
    );
  }
  const apiKey = 'key-of-the-account';
  const { authHeaderName, pathShape } = choices.data;
  return {
    start: () => startBookingSystem({ apiKey, authHeaderName, pathShape, form: 'current' }),
    account: { accountId: 4711, apiKey },
    bookingId: seededBookings[0]?.id ?? '',
  };
}
