/**
 * The inner form of a backup, compressed: records, each a byte for its kind, four for its length, and the content.
 *
 *     manifest · (table · rows* · end of table)* · end
 */
import { z } from 'zod';
import { BackupProblem } from './backup-problem.ts';

const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()) });

const manifestSchema = z.object({
  kind: z.literal('manifest'),
  /** The moment of the snapshot, by the database's clock. */
  takenAt: z.iso.datetime(),
  postgres: z.string(),
  /** The size of the database on disk. */
  databaseBytes: z.number(),
  migrations: z.array(z.string()),
  /** In an order in which rows refer to earlier ones only. */
  tables: z.array(tableSchema),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
});

const recordSchema = z.discriminatedUnion('kind', [
  manifestSchema,
  z.object({ kind: z.literal('table'), name: z.string() }),
  z.object({ kind: z.literal('end-of-table'), rows: z.number(), bytes: z.number(), sha256: z.string() }),
  z.object({ kind: z.literal('end'), tables: z.number() }),
]);

export type BackupTable = z.infer<typeof tableSchema>;
export type BackupManifest = z.infer<typeof manifestSchema>;
export type BackupRecord = z.infer<typeof recordSchema>;

const description = 1;
const rows = 2;
const prefixBytes = 5;
const maxContentBytes = 1024 * 1024;

function prefixOf(kind: number, length: number): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt8(kind, 0);
  prefix.writeUInt32BE(length, 1);
  return prefix;
}

export function encodeRecord(record: BackupRecord): Buffer {
  const content = Buffer.from(JSON.stringify(record));
  return Buffer.concat([prefixOf(description, content.length), content]);
}

/** Rows in PostgreSQL's COPY format, cut anywhere. */
export function* encodeRows(data: Buffer): Generator<Buffer> {
  for (let start = 0; start < data.length; start += maxContentBytes) {
    const content = data.subarray(start, start + maxContentBytes);
    yield prefixOf(rows, content.length);
    yield content;
  }
}

const unexpected = () => new BackupProblem('the content of the backup is not what the waiver service writes');

function decode(kind: number, content: Buffer): BackupRecord | Buffer {
  if (kind === rows) return content;
  if (kind !== description) throw unexpected();
  const parsed = recordSchema.safeParse(JSON.parse(content.toString('utf8')));
  if (!parsed.success) throw unexpected();
  return parsed.data;
}

/** Reads records; rows are buffers. @throws BackupProblem */
export async function* decodeRecords(content: AsyncIterable<Buffer>): AsyncGenerator<BackupRecord | Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of content) {
    rest = Buffer.concat([rest, part]);
    for (;;) {
      if (rest.length < prefixBytes) break;
      const end = prefixBytes + rest.readUInt32BE(1);
      if (end > prefixBytes + maxContentBytes) throw unexpected();
      if (rest.length < end) break;
      yield decode(rest.readUInt8(0), rest.subarray(prefixBytes, end));
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw unexpected();
}
