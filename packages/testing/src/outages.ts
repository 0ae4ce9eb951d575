import { Client } from 'pg';

/** As if a database's webhooks had refused all messages for two minutes. */
export async function beginOutage(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `update destination set consecutive_failures = 3, failing_since = now() - interval '2 minutes',
      last_failure_at = now(), last_failure_code = 'connection_refused' where kind = 'guest-webhook'`,
  );
  await client.end();
}
