import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from './tables.ts';

interface Clock {
  readonly era: string;
  readonly systemIdentifier: string;
}

async function readClock(database: Database): Promise<Clock> {
  const { rows } = await sql<Clock>`
select era, system_identifier from change_clock`.execute(database);
  const [clock] = rows;
  if (clock === undefined) throw new Error('the table change_clock is empty: restore it from the backup');
  return clock;
}

/** Identifies the sequence of positions: positions of another era are meaningless. */
export const readEra = async (database: Database): Promise<string> => (await readClock(database)).era;

// If the role may not read it, a restored database goes unnoticed.
async function readSystemIdentifier(database: Database): Promise<string | undefined> {
  const identifier = sql<{ id: string }>`select system_identifier::text as id from pg_control_system()`;
  return identifier.execute(database).then(
    ({ rows }) => rows[0]?.id,
    () => undefined,
  );
}

/** Marks records restored from a backup: their transactions are not this database's, even in the same cluster. */
const restored = 'restored';

/** Makes the next {@link alignChangeClock} begin a new era. */
export const forgetChangeClock = async (database: Database): Promise<void> => {
  await sql`update change_clock set system_identifier = ${restored}`.execute(database);
};

/**
 * Begins a new era if the database has moved to another PostgreSQL cluster, as when restored from a backup: the old
 * cluster's transaction numbers may exceed the new ones, and changes would stay unseen for a long time. In the new era
 * every record is at the beginning, so that readers get all of them again and miss none.
 *
 * Needs a connection without a statement timeout. Call it before anything is written.
 */
export async function alignChangeClock(database: Database): Promise<void> {
  const clock = await readClock(database);
  const unknown = clock.systemIdentifier === restored ? 'unknown' : clock.systemIdentifier;
  const identifier = (await readSystemIdentifier(database)) ?? unknown;
  if (clock.systemIdentifier === identifier) return;
  await database.transaction().execute(async (transaction) => {
    await sql`select 1 from change_clock for update`.execute(transaction);
    const clock = await readClock(transaction);
    if (clock.systemIdentifier === identifier) return;
    const isFirst = clock.systemIdentifier === '';
    if (!isFirst)
      await sql`update waiver set changed_in = '0'::xid8 where changed_in <> '0'::xid8`.execute(transaction);
    await sql`
update change_clock set system_identifier = ${identifier}, era = ${isFirst ? clock.era : uuidv7()}`.execute(
      transaction,
    );
  });
}
