import { Client } from 'pg';

/** The stored state of the calls for changes of one installation, the only one in the database. */
export interface ChangesState {
  readonly cursor: string | null;
  readonly failures: number;
  /** Whether one is under way. */
  readonly isAsking: boolean;
  /** Milliseconds until the next call; infinite if there is none planned. */
  readonly dueInMs: number;
}

/** Looks at the calls for changes, and makes the next one due. */
export interface ObservedChanges {
  state(): Promise<ChangesState | undefined>;
  makeDue(): Promise<void>;
  close(): Promise<void>;
}

/** Connects to a database to observe calls for changes. */
export async function observeBookingChanges(databaseUrl: string): Promise<ObservedChanges> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async state() {
      const { rows } = await client.query<ChangesState>(`
        select cursor, failures, claimed as "isAsking",
          extract(epoch from due_at)::double precision * 1000 - extract(epoch from now())::double precision * 1000 as "dueInMs"
        from booking_changes`);
      return rows[0];
    },
    async makeDue() {
      await client.query('update booking_changes set due_at = now()');
    },
    close: () => client.end(),
  };
}
