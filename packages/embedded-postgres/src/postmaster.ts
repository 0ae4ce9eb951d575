import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** The contents of a data directory's `postmaster.pid`. */
export interface Postmaster {
  readonly processId: number;
  readonly ready: boolean;
  /** Empty until the server has one. */
  readonly socketFolder: string;
}

const fileName = 'postmaster.pid';
const fastShutdownMs = 30_000;

/** Reads `postmaster.pid`; undefined if there is none. */
export async function readPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(dataDirectory, fileName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const processId = Number.parseInt(lines[0] ?? '', 10);
  if (!Number.isSafeInteger(processId) || processId <= 1) return undefined;
  return { processId, ready: lines[7]?.trim() === 'ready', socketFolder: lines[4]?.trim() ?? '' };
}

export function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Stops a server that outlived its host, and waits for its exit. It may have outdated settings and sessions, so it is
 * not taken over: a clean start costs a few hundred milliseconds.
 *
 * @returns whether there was one
 */
export async function stopOrphan(dataDirectory: string): Promise<boolean> {
  const postmaster = await readPostmaster(dataDirectory);
  if (postmaster === undefined || !isAlive(postmaster.processId)) return false;
  if (!isServerOf(postmaster.processId, dataDirectory)) {
    // The process id now belongs to another process (a restarted container, a reboot). PostgreSQL would take that
    // process for a server of this directory and refuse to start.
    await rm(join(dataDirectory, fileName));
    return false;
  }
  await shutDown(postmaster.processId);
  return true;
}

/** Fast shutdown: ends all sessions and flushes to disk. A server that fails to do so is stopped hard. */
export async function shutDown(processId: number): Promise<void> {
  signal(processId, 'SIGINT');
  if (await ended(processId, fastShutdownMs)) return;
  signal(processId, 'SIGQUIT');
  if (await ended(processId, fastShutdownMs)) return;
  throw new Error(`the embedded PostgreSQL (process ${processId}) does not stop`);
}

function signal(processId: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(processId, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

async function ended(processId: number, withinMs: number): Promise<boolean> {
  const end = Date.now() + withinMs;
  while (isAlive(processId)) {
    if (Date.now() > end) return false;
    await wait(10);
  }
  return true;
}

/** Whether a process is the server of a data directory. */
export function isServerOf(processId: number, dataDirectory: string): boolean {
  const command = commandOf(processId);
  return command.includes('postgres') && command.includes(dataDirectory);
}

function commandOf(processId: number): string {
  try {
    if (process.platform === 'linux')
      return readFileSync(`/proc/${processId}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-ww', '-o', 'command=', '-p', String(processId)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
