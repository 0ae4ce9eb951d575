import { createHash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BackupTable } from './records.ts';

/** The contents of a table, in COPY's text format. */
export interface TableContent {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const listed = (columns: readonly string[]) => columns.map(quoted).join(', ');

function contentCounter() {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    add(data: Buffer) {
      hash.update(data);
      bytes += data.length;
    },
    content: (rows: number): TableContent => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}

/** The rows of a table, cut anywhere; returns their number and checksum. */
export async function* readTable(
  client: Client,
  { name, columns }: BackupTable,
): AsyncGenerator<Buffer, TableContent> {
  const counter = contentCounter();
  // A query, because COPY refuses a partitioned table.
  const stream = client.query(copyTo(`copy (select ${listed(columns)} from ${quoted(name)}) to stdout`));
  for await (const data of stream) {
    counter.add(data);
    yield data;
  }
  return counter.content(stream.rowCount);
}

/** The checksum of a table as {@link readTable} has it. */
export async function checksumOf(client: Client, table: BackupTable): Promise<TableContent> {
  const content = readTable(client, table);
  for (;;) {
    const { done, value } = await content.next();
    if (done) return value;
  }
}

/** Loads rows into a table. */
export async function loadTable(
  client: Client,
  { name, columns }: BackupTable,
  data: AsyncIterable<Buffer>,
): Promise<TableContent> {
  const counter = contentCounter();
  const counting = new Transform({
    transform(part: Buffer, _encoding, done) {
      counter.add(part);
      done(null, part);
    },
  });
  const stream = client.query(copyFrom(`copy ${quoted(name)} (${listed(columns)}) from stdin`));
  await pipeline(data, counting, stream);
  return counter.content(stream.rowCount);
}
