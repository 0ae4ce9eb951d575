import { cancelMove, type MovedPool, MoveProblem, type MoveProgress, movePool } from '@waiver-service/store';
import { existingEncryptionKeys } from '../settings/generated-secrets.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { withDatabase } from './command-database.ts';
import { type CommandOutput, inBytes } from './command-output.ts';

const noteEveryMs = 2_000;

function describeProgress(progress: MoveProgress): string {
  switch (progress.step) {
    case 'checking':
      return 'checking whether the pool can move';
    case 'leaving':
      return 'from now on changes of the pool are refused (503 pool_moving), and nothing more of it is sent here';
    case 'sending':
      return `waiting for the end of what is being sent: ${progress.underWay}`;
    case 'copying':
      return `copying, table ${progress.number} of ${progress.tables}, ${progress.table}: ${inBytes(progress.bytes)} so far`;
    case 'comparing':
      return `comparing checksums, table ${progress.number} of ${progress.tables}, ${progress.table}`;
    case 'arrived':
      return 'the pool is in the other cell, and calls are sent on to it; now its rows are removed here';
    case 'removing':
      return `removed ${progress.waivers.toLocaleString('en')} waivers here`;
  }
}

/** Says how far a move is: each step once, and a long one now and then. */
export function moveNotes(note: CommandOutput['note'], json: boolean): (progress: MoveProgress) => void {
  let noted: MoveProgress['step'] | undefined;
  let notedAt = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.step === noted && now - notedAt < noteEveryMs) return;
    [noted, notedAt] = [progress.step, now];
    note(json ? JSON.stringify(progress) : describeProgress(progress));
  };
}

/** Works on the cell's database. What keeps a pool from moving is said as it is: it may be the other cell's database. */
const onDatabase = (
  settings: HostSettings,
  note: CommandOutput['note'],
  work: (databaseUrl: string) => Promise<void>,
): Promise<number> =>
  withDatabase(settings, note, async ({ url }) => {
    try {
      await work(url);
      return 0;
    } catch (error) {
      if (!(error instanceof MoveProblem)) throw error;
      note(error.message);
      return 1;
    }
  });

const names = (some: readonly string[]) => some.map((name) => JSON.stringify(name)).join(', ');

/** The result of a move, and what is left to a person. */
export function describeMove(
  { rows, refusedMs, alerts, credentials }: MovedPool,
  { pool, cell, url }: { readonly pool: string; readonly cell: string; readonly url: string },
): readonly string[] {
  const copied =
    refusedMs === undefined
      ? ''
      : ` ${rows.toLocaleString('en')} rows were copied, and their checksums are the same; changes were refused for ${(refusedMs / 1000).toFixed(1)} seconds.`;
  return [
    `The pool "${pool}" is in the cell "${cell}", and nothing of it is left here.${copied}`,
    `Calls for it that come here are sent on to ${url}: leave this cell's address to those that have it.`,
    ...(alerts.length > 0
      ? [`These alerts of this cell name the pool, and tell nothing of it any more: ${names(alerts)}.`]
      : []),
    ...(credentials.length > 0
      ? [
          `These credentials of this cell name the pool; create such ones in the other cell: ${names(credentials)}.`,
        ]
      : []),
  ];
}

/** Moves a pool to another cell. */
export async function movePoolTo(
  settings: HostSettings,
  { pool, cell, json }: { readonly pool: string; readonly cell: string; readonly json: boolean },
  { print, note }: CommandOutput,
): Promise<number> {
  const url = settings.cells.get(cell);
  if (url === undefined) {
    const known = [...settings.cells.keys()];
    const others = known.length === 0 ? 'it names no other' : `it names ${known.join(', ')}`;
    throw new Error(`there is no cell "${cell}" in CELLS; ${others}`);
  }
  const { targetDatabaseUrl } = settings;
  if (targetDatabaseUrl === undefined)
    throw new Error(`set TARGET_DATABASE_URL to the database of the cell "${cell}"`);
  const encryptionKeys = existingEncryptionKeys(settings);
  return onDatabase(settings, note, async (databaseUrl) => {
    const stop = new AbortController();
    const onSignal = () =>
      stop.abort(
        new Error('stopped: unless the pool has arrived, it goes on here. The command can be run again'),
      );
    process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
    try {
      const moved = await movePool({
        databaseUrl,
        targetUrl: targetDatabaseUrl,
        encryptionKeys,
        pool,
        cell,
        fromCell: settings.cell ?? '',
        onProgress: moveNotes(note, json),
        signal: stop.signal,
      });
      if (json) print(JSON.stringify({ pool, cell, ...moved }));
      else for (const sentence of describeMove(moved, { pool, cell, url })) print(sentence);
    } finally {
      process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    }
  });
}

/** Ends a move that broke off. */
export const cancelMoveOf = (
  settings: HostSettings,
  pool: string,
  { print, note }: CommandOutput,
): Promise<number> =>
  onDatabase(settings, note, async (databaseUrl) => {
    await cancelMove({ databaseUrl, targetUrl: settings.targetDatabaseUrl, pool });
    print(`The pool "${pool}" goes on in this cell.`);
  });
