import type { KyselyPlugin } from 'kysely';
import { onTestFinished } from 'vitest';
import { connect } from '../../src/database/connect.ts';
import { createConnectionRenewal } from '../../src/database/connection-renewal.ts';
import type { Database } from '../../src/database/database.ts';

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
  const database = connect({
    databaseUrl,
    maxConnections: 1,
    renewal: createConnectionRenewal(),
    statementTimeoutMs: 0,
    onConnectionError: () => {},
  });
  onTestFinished(() => database.destroy());
  return onStatement === undefined ? database : database.withPlugin(countStatements(onStatement));
}
