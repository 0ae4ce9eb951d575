import { createConnectionRenewal } from '@waiver-service/database';
import type { KyselyPlugin } from 'kysely';
import { onTestFinished } from 'vitest';
import { schema } from '../../src/database/schema.ts';
import type { Database } from '../../src/database/tables.ts';

function countStatements(onStatement: () => void): KyselyPlugin {
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      onStatement();
      return result;
    },
  };
}

/** A single connection without a store, closed when the test ends. */
export function openDatabase(databaseUrl: string, onStatement?: () => void): Database {
  const database = schema.connect({
    databaseUrl,
    maxConnections: 1,
    renewal: createConnectionRenewal(),
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return onStatement === undefined ? database : database.withPlugin(countStatements(onStatement));
}
