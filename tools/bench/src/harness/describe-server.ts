import { Client } from 'pg';

interface ServerSettings {
  readonly version: string;
  readonly fsync: string;
  readonly commit: string;
}

const readSettings = `
  select current_setting('server_version') as version, current_setting('fsync') as fsync,
    current_setting('synchronous_commit') as commit`;

/** The server's version and durability settings: `PostgreSQL 18.4, fsync on, …`. */
export async function describeServer(serverUrl: string): Promise<string> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const { rows } = await client.query<ServerSettings>(readSettings);
    return rows
      .map(
        ({ version, fsync, commit }) => `PostgreSQL ${version}, fsync ${fsync}, synchronous_commit ${commit}`,
      )
      .join();
  } finally {
    await client.end();
  }
}
