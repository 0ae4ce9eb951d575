import { sql } from 'kysely';
import { batchCalls } from '../database/batch-calls.ts';
import type { Database } from '../database/database.ts';
import { prepared } from '../database/prepared-statements.ts';
import type { BookingSystemConfiguration } from './configuration.ts';
import type { ConfigurationOf, WantedConfiguration } from './kept-configurations.ts';
import { versionOfConfiguration } from './read-pools.ts';

const maxBatchSize = 256;

interface DestinationRow extends WantedConfiguration {
  readonly destination: string;
}

async function readDestinations(database: Database, destinations: readonly string[]) {
  const { rows } = await sql<DestinationRow>`${prepared}
select i.destination_id as destination, i.pool, i.booking_system as "bookingSystem", ${versionOfConfiguration} as version
from installation i left join booking_system s on s.install_name = i.booking_system
where i.destination_id = any(${[...new Set(destinations)]}::text[]) and i.status = 'installed'`.execute(
    database,
  );
  return new Map(rows.map((row) => [row.destination, row]));
}

/** Makes what finds the configuration that a destination stands for; those asked for at once are found together. */
export function createDestinationConfigurations(
  database: Database,
  configurationOf: ConfigurationOf,
): (destination: string) => Promise<BookingSystemConfiguration | undefined> {
  const find = batchCalls<string, WantedConfiguration | undefined>({
    maxBatchSize,
    async run(destinations) {
      const found = await readDestinations(database, destinations);
      return destinations.map((destination) => ({ status: 'fulfilled', value: found.get(destination) }));
    },
  });
  return async (destination) => {
    const wanted = await find(destination);
    return wanted && configurationOf(wanted);
  };
}
