type Query = (statement: string) => Promise<readonly unknown[]>;

/** Resolves when at least so many other sessions of this database wait for a lock. */
export async function untilBlocked(query: Query, sessions = 1): Promise<void> {
  for (;;) {
    // A transaction sees the sessions as they were when it first looked.
    await query('select pg_stat_clear_snapshot()');
    const blocked = await query(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    );
    if (blocked.length >= sessions) return;
  }
}
