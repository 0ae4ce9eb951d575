import { sql } from 'kysely';
import { type BookingSystemSettings, settingsOf } from '../booking-systems/booking-systems.ts';
import { batchCalls } from '../database/batch-calls.ts';
import type { StoreContext } from '../store-context.ts';
import { type Installation, type InstallationRow, installationOf } from './installation.ts';

/** The configuration of one booking system for one pool. */
export interface BookingSystemConfiguration {
  readonly installation: Installation;
  /** The operator's settings of the booking system, if any. */
  readonly settings: BookingSystemSettings | undefined;
}

const maxBatchSize = 256;

interface Row extends InstallationRow {
  /** Null without settings. */
  readonly installName: string | null;
  readonly settingsBaseUrl: string | null;
  readonly settingsEncrypted: string | null;
  readonly settingsUpdatedAt: Date | null;
}

async function readRows({ database }: StoreContext, destinations: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
select i.*, s.install_name, s.base_url as settings_base_url, s.settings_encrypted, s.updated_at as settings_updated_at
from installation i left join booking_system s on s.install_name = i.booking_system
where i.destination_id = any(${[...new Set(destinations)]}::text[]) and i.status = 'installed'`.execute(
    database,
  );
  return rows;
}

function configurationOf({ encryption }: StoreContext, row: Row): BookingSystemConfiguration | undefined {
  const installation = installationOf(encryption, row);
  if (installation === undefined) return undefined;
  const { installName, settingsBaseUrl: baseUrl, settingsEncrypted, settingsUpdatedAt: updatedAt } = row;
  if (installName === null || updatedAt === null) return { installation, settings: undefined };
  const settings = settingsOf(encryption, { installName, baseUrl, settingsEncrypted, updatedAt });
  return { installation, settings };
}

/** Creates a function that reads the configuration of a destination. Concurrent calls are batched. */
export function createDestinationConfigurations(
  context: StoreContext,
): (destination: string) => Promise<BookingSystemConfiguration | undefined> {
  const findRow = batchCalls<string, Row | undefined>({
    maxBatchSize,
    async run(destinations) {
      const rows = new Map((await readRows(context, destinations)).map((row) => [row.destinationId, row]));
      return destinations.map((destination) => ({ status: 'fulfilled', value: rows.get(destination) }));
    },
  });
  return async (destination) => {
    const row = await findRow(destination);
    return row && configurationOf(context, row);
  };
}
