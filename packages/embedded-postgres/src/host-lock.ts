import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another host uses the database. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

const sqliteBusy = 5;

/**
 * Locks a data folder, so that only one host uses its database.
 *
 * A kernel lock on a file is released however the process ends, and cannot be confused by a reused process id. SQLite is
 * the only way to get one with Node's standard library; the file is empty.
 *
 * @returns releases the lock
 * @throws DataFolderInUse
 */
export function lockDataFolder(folder: string): () => void {
  const processFile = join(folder, 'host.pid');
  const lockFile = join(folder, 'host.lock');
  makeLockFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataFolderInUse(
      `another waiver service${owner(processFile)} uses the embedded database in ${folder}: stop it, give this one another DATA_DIR, or let both use one PostgreSQL through DATABASE_URL`,
    );
  }
  writeFileSync(processFile, `${process.pid}\n`);
  return () => lock.close();
}

// Created with mode 0600 before SQLite opens it, so that no other user can lock it. An existing file is not opened:
// closing it would release all locks that this process holds on it.
function makeLockFile(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function owner(processFile: string): string {
  try {
    return ` (process ${readFileSync(processFile, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
