import { expect, test } from 'vitest';
import { type ExportFormat, wholeExport } from '../src/pages/operations/audit-page.tsx';
import { needsAttention, urgency, urgencyWithWaiting } from '../src/pages/operations/destination.tsx';

test('a refused installation comes before a failing destination, and that before a paused one', () => {
  const signs = { status: 'active', consecutiveFailures: 0, waiting: 0 } as const;
  const inOrder: Parameters<typeof urgencyWithWaiting>[0][] = [
    { ...signs, installationStatus: 'needs_attention' },
    { ...signs, consecutiveFailures: 1 },
    { ...signs, status: 'paused' },
    { ...signs, installationStatus: 'pending' },
    { ...signs, waiting: 9 },
    signs,
  ];
  expect(
    inOrder.toReversed().toSorted((one, other) => urgencyWithWaiting(other) - urgencyWithWaiting(one)),
  ).toEqual(inOrder);
  expect(inOrder.map(needsAttention)).toEqual([true, true, true, true, false, false]);
});

test('messages that wait do not move a destination among those as urgent', () => {
  const idle = { status: 'active', consecutiveFailures: 3, waiting: 0 } as const;
  const busy = { ...idle, waiting: 9 };
  expect(urgency(busy)).toBe(urgency(idle));
  expect(urgencyWithWaiting(busy)).toBeGreaterThan(urgencyWithWaiting(idle));
});

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly target: string;
}

const start = Date.parse('2027-06-12T10:00:00.000Z');
const minuteMs = 60_000;

/** The newest first. Some share their time, and the clock that made the ids of some was behind. */
const entries: readonly Entry[] = Array.from({ length: 25 }, (_, place): Entry => {
  const behindMs = place % 3 === 0 ? 2.5 * minuteMs : 0;
  return {
    id: `01900000-0000-7000-8000-${String(100 - place).padStart(12, '0')}`,
    at: new Date(start - Math.floor(place / 2) * minuteMs + behindMs).toISOString(),
    target: 'a "quoted"\r\n01900000-0000-7000-8000-000000000000,2001-01-01T00:00:00.000Z,\n',
  };
});

const write = {
  csv: (shown: readonly Entry[]) =>
    ['id,at,target', ...shown.map(({ id, at, target }) => `${id},${at},"${target.replaceAll('"', '""')}"`)]
      .map((line) => `${line}\r\n`)
      .join(''),
  ndjson: (shown: readonly Entry[]) => shown.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
};

/** Exports as the host does, and counts how often. */
function exporter(format: ExportFormat, limit: number, all = entries) {
  let reads = 0;
  const readPart = async (until = '9999') => {
    reads += 1;
    return write[format](all.filter(({ at }) => at < until).slice(0, limit));
  };
  return { reads: () => reads, export: () => wholeExport(format, readPart, limit) };
}

test.each(['csv', 'ndjson'] as const)('a log longer than one export is in the %s whole', async (format) => {
  for (const limit of [15, 20, 25, 26]) {
    const log = await exporter(format, limit).export();
    expect(await log.text(), `at most ${limit}`).toBe(write[format](entries));
  }
});

test('a log that one export holds is read once', async () => {
  const small = exporter('csv', 26);
  await small.export();
  expect(small.reads()).toBe(1);
  const empty = exporter('ndjson', 26, []);
  expect(await (await empty.export()).text()).toBe('');
  expect(empty.reads()).toBe(1);
});

test('entries that cannot be read are an error, not left out', async () => {
  const crowded = entries.map((entry) => ({ ...entry, at: new Date(start).toISOString() }));
  await expect(exporter('csv', 15, crowded).export()).rejects.toThrow('more entries');
});
