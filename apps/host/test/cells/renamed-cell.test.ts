import { createTestDatabase } from '@waiver-service/store/testing';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { startProgram } from '../harness/program.ts';

test('a cell has another name only where it is renamed as the operating manual says', async () => {
  const { url: DATABASE_URL, drop } = await createTestDatabase();
  onTestFinished(drop);
  const startAndStop = async (CELL: string) => {
    const program = await startProgram({ DATABASE_URL, CELL });
    expect(await program.stop()).toBe(0);
  };
  await startAndStop('eu1');
  await expect(startAndStop('eu2')).rejects.toThrow('the database is that of the cell "eu1"');

  const client = new Client({ connectionString: DATABASE_URL });
  await client.connect();
  try {
    await client.query(documentedBlock('docs/operating.md', 'update cell_name'));
  } finally {
    await client.end();
  }
  await startAndStop('eu2');
});
