import { Client } from 'pg';
import { onTestFinished } from 'vitest';

/** A connection for locks and statements beside the store's, closed when the test ends. */
export async function openSession(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
