import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/connections/connect.ts';
import { rowsOf } from '../../src/statements/rows.ts';
import { createTestDatabase } from '../../src/testing/test-database.ts';

test('any text arrives unchanged, with lone surrogates replaced', async () => {
  const { url, drop } = await createTestDatabase({ empty: true });
  const database = connect({
    newestMigration: '',
    databaseUrl: url,
    maxConnections: 1,
    statementTimeoutMs: 10_000,
    onConnectionError: () => {},
  });
  onTestFinished(async () => {
    await database.destroy();
    await drop();
  });
  const special = fc.constantFrom('"', '\\', '\\n', '\n', '\u007f', '\u2028', '\ud800', '{', ',', 'NULL', '');
  // U+0000, which PostgreSQL cannot store, is excluded.
  const character = fc
    .oneof(special, fc.string({ unit: 'binary', maxLength: 2 }))
    .filter((text) => !text.includes('\0'));
  const texts = fc.array(fc.string({ unit: character, maxLength: 8 }), { minLength: 1 });

  await fc.assert(
    fc.asyncProperty(texts, async (sent) => {
      const rows = sent.map((text, place) => ({ place, text }));
      const { rows: received } = await sql<{ text: string }>`
        select text from ${rowsOf(rows, 'r', { place: 'integer', text: 'text' })} order by place`.execute(
        database,
      );
      expect(received.map(({ text }) => text)).toEqual(sent.map((text) => text.toWellFormed()));
    }),
  );
});
