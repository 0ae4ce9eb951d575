export type ExportFormat = 'csv' | 'ndjson';

/** The API's limit of one export. */
const maxExported = 100_000;

// Entries are in the order of their ids, which are made by the clocks of several hosts; their times are the database's.
const overlapMs = 5 * 60_000;

interface ExportedEntry {
  /** Ids are in the order of the export, descending. */
  readonly id: string;
  readonly at: string;
  /** All of it, with its line break. */
  readonly text: string;
}

// A line break in quotes is part of a field. The id and the time, which come first, have no quotes.
const csvRecord = /(?:"[^"]*"|[^"\n])*\n/g;

function csvEntries(text: string): ExportedEntry[] {
  const [, ...records] = text.match(csvRecord) ?? [];
  return records.map((record) => {
    const [id = '', at = ''] = record.split(',', 2);
    return { id, at, text: record };
  });
}

function lineEntries(text: string): ExportedEntry[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { id, at }: { id: string; at: string } = JSON.parse(line);
      return { id, at, text: `${line}\n` };
    });
}

const entriesOf = { csv: csvEntries, ndjson: lineEntries };
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' };

/**
 * Exports every entry, although one export returns only the newest: the next one begins a little after the last entry's
 * time, so that none is missing, and what both contain is left out.
 *
 * @param readPart - exports the entries before a time
 */
export async function wholeExport(
  format: ExportFormat,
  readPart: (until: string | undefined) => Promise<string>,
  limit = maxExported,
): Promise<Blob> {
  const first = await readPart(undefined);
  // The browser may keep blobs on disk.
  const parts = [new Blob([first])];
  let entries = entriesOf[format](first);
  let last = entries.at(-1);
  while (last !== undefined && entries.length >= limit) {
    const { id: lastId, at } = last;
    entries = entriesOf[format](await readPart(new Date(Date.parse(at) + overlapMs).toISOString()));
    const older = entries.filter(({ id }) => id < lastId);
    if (older.length === 0 && entries.length >= limit) {
      throw new Error('more entries at about the same time than one export holds');
    }
    parts.push(new Blob([older.map(({ text }) => text).join('')]));
    last = older.at(-1);
  }
  return new Blob(parts, { type: types[format] });
}
