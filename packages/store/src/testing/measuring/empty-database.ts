import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { TestDatabase } from '../test-database.ts';
import { databaseUrl } from '../test-database.ts';
import { openConnections } from './connection.ts';

async function execute(serverUrl: string, statement: string): Promise<void> {
  const database = openConnections(serverUrl, 1);
  try {
    await sql.raw(statement).execute(database);
  } finally {
    await database.destroy();
  }
}

/** A fresh database without tables on a server, for `openStore` or for another library's own tables. */
export async function createEmptyDatabase(serverUrl: string): Promise<TestDatabase> {
  const name = `measured_${randomUUID().replaceAll('-', '')}`;
  await execute(serverUrl, `create database ${name} template template0`);
  return {
    url: databaseUrl(serverUrl, name),
    drop: () => execute(serverUrl, `drop database if exists ${name} with (force)`),
  };
}
