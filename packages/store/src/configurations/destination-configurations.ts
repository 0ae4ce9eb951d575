import { sql } from 'kysely';
import { settingsOf } from '../booking-systems/booking-systems.ts';
import { batchCalls } from '../database/batch-calls.ts';
import { installationOf } from '../installations/installation.ts';
import type { StoreContext } from '../store-context.ts';
import type { BookingSystemConfiguration } from './configuration.ts';

const maxBatchSize = 256;

const readRows = ({ database }: StoreContext, destinations: readonly string[]) =>
  database
    .selectFrom('installation as i')
    .leftJoin('booking_system as s', 's.install_name', 'i.booking_system')
    .selectAll('i')
    .select([
      's.install_name',
      's.base_url as settings_base_url',
      's.settings_encrypted',
      's.updated_at as settings_updated_at',
    ])
    .where(sql<boolean>`i.destination_id = any(${[...new Set(destinations)]}::text[])`)
    .where('i.status', '=', 'installed')
    .execute();

type Row = Awaited<ReturnType<typeof readRows>>[number];

function configurationOf({ encryption }: StoreContext, row: Row): BookingSystemConfiguration | undefined {
  const installation = installationOf(encryption, row);
  if (installation === undefined) return undefined;
  const {
    install_name,
    settings_base_url: base_url,
    settings_encrypted,
    settings_updated_at: updated_at,
  } = row;
  if (install_name === null || updated_at === null) return { installation, settings: undefined };
  const settings = settingsOf(encryption, { install_name, base_url, settings_encrypted, updated_at });
  return { installation, settings };
}

/** Creates a function that reads the configuration of a destination. Concurrent calls are batched. */
export function createDestinationConfigurations(
  context: StoreContext,
): (destination: string) => Promise<BookingSystemConfiguration | undefined> {
  const findRow = batchCalls<string, Row | undefined>({
    maxBatchSize,
    async run(destinations) {
      const rows = new Map((await readRows(context, destinations)).map((row) => [row.destination_id, row]));
      return destinations.map((destination) => ({ status: 'fulfilled', value: rows.get(destination) }));
    },
  });
  return async (destination) => {
    const row = await findRow(destination);
    return row && configurationOf(context, row);
  };
}
