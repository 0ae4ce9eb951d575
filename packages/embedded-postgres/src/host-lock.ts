import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database that another host holds. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

const sqliteBusy = 5;

/**
 * Keeps a second host off one embedded database.
 *
 * The lock is the kernel's lock on a file, so it dies with its process however that ends, and no reused process id
 * can be taken for its owner. SQLite is the one way to such a lock in Node's standard library; the file holds nothing.
 *
 * @returns what gives the lock back.
 * @throws DataFolderInUse
 */
export function lockFor(folder: string): () => void {
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

// Made before SQLite opens it, so that nobody else can read it and hold a lock on it. One that is there is not even
// opened: closing it would give up every lock that this process has on it.
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
