import { readdirSync, readFileSync } from 'node:fs';
import type { Figure } from './measuring.ts';

/** A process by its id, alone or together with its children, running and ended. */
export interface WatchedProcess {
  readonly pid: number;
  readonly withChildren?: boolean;
}

interface ProcessTimes {
  readonly parent: number;
  readonly ownTicks: number;
  readonly endedChildrenTicks: number;
}

// USER_HZ is 100 on every Linux that Node runs on.
const microsecondsPerTick = 10_000;

function timesOf(pid: number | string): ProcessTimes | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, in parentheses, may have spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
    (place) => Number(fields[place]),
  );
  return { parent, ownTicks: user + system, endedChildrenTicks: endedUser + endedSystem };
}

function usedMicroseconds({ pid, withChildren = false }: WatchedProcess): number {
  const times = timesOf(pid);
  if (times === undefined) return 0;
  if (!withChildren) return times.ownTicks * microsecondsPerTick;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(timesOf)
    .filter((child) => child?.parent === pid);
  const running = children.reduce((sum, child) => sum + (child?.ownTicks ?? 0), 0);
  return (times.ownTicks + times.endedChildrenTicks + running) * microsecondsPerTick;
}

/** The parent of a process; undefined where the operating system has no `/proc`, or on another machine. */
export const parentOf = (pid: number): number | undefined => timesOf(pid)?.parent;

/** Processes by the name of their part, such as `sender`. */
export type WatchedParts = Readonly<Record<string, readonly WatchedProcess[]>>;

/**
 * Watches how much processor time the parts of a run use, by the operating system's own count.
 *
 * @returns the microseconds of each part for each of `count` messages since the call; none without `/proc`
 */
export function watchProcessors(parts: WatchedParts): (count: number) => Figure[] {
  if (parentOf(process.pid) === undefined) return () => [];
  const usedBy = (processes: readonly WatchedProcess[]) =>
    processes.reduce((sum, one) => sum + usedMicroseconds(one), 0);
  const before = new Map(Object.entries(parts).map(([name, processes]) => [name, usedBy(processes)]));
  return (count) =>
    Object.entries(parts).map(([name, processes]) => ({
      name,
      value: (usedBy(processes) - (before.get(name) ?? 0)) / count,
      unit: 'µs',
    }));
}
