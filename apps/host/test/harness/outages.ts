import { Client } from 'pg';

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** As if a database's webhooks had refused all messages for two minutes. */
export const beginOutage = (databaseUrl: string): Promise<void> =>
  execute(
    databaseUrl,
    `update destination set consecutive_failures = 3, failing_since = now() - interval '2 minutes',
      last_failure_at = now(), last_failure_code = 'connection_refused' where kind = 'guest-webhook'`,
  );

/** As if they took messages again. */
export const endOutage = (databaseUrl: string): Promise<void> =>
  execute(
    databaseUrl,
    `update destination set consecutive_failures = 0, failing_since = null, last_success_at = now()
      where kind = 'guest-webhook'`,
  );
