import { loadOutbox, type Outbox } from '../outbox/load-outbox.ts';
import { waiting } from '../outbox/waiting.ts';
import { readKioskDay } from './calls.ts';
import { asOf, type KioskDay } from './day.ts';

/** The credential and the day of a paired tablet. */
export interface PairedKiosk {
  readonly token: string;
  /** Undefined until it has been read. */
  readonly known: KnownDay | undefined;
}

/** A day, and when it was read. */
export interface KnownDay {
  readonly day: KioskDay;
  readonly at: string;
}

/** The tablet's database. Undefined: it keeps nothing, and can be no kiosk. */
const databaseOf = async (outbox: Outbox | undefined) => outbox?.database;

/** @throws where the browser refuses */
export async function openKiosk(): Promise<PairedKiosk | 'unpaired' | 'keeps-nothing'> {
  const database = await databaseOf(await loadOutbox());
  if (database === undefined) return 'keeps-nothing';
  const token = await database.get('kiosk', 'credential');
  if (token === undefined) return 'unpaired';
  const kept = await database.get('kiosk', 'day');
  const known: KnownDay | undefined = kept && JSON.parse(kept.value);
  return { token: token.value, known: known && { ...known, day: asOf(known.day, new Date()) } };
}

export async function keepCredential(token: string): Promise<void> {
  const database = await databaseOf(await loadOutbox());
  await database?.put('kiosk', { name: 'credential', value: token });
}

export async function keepDay(known: KnownDay): Promise<void> {
  const database = await databaseOf(await loadOutbox());
  await database?.put('kiosk', { name: 'day', value: JSON.stringify(known) });
}

/** Deletes the credential and the day. What waits stays. */
export async function forgetKiosk(): Promise<void> {
  const database = await databaseOf(await loadOutbox());
  await database?.remove('kiosk', 'credential');
  await database?.remove('kiosk', 'day');
}

/** Says what waits here, and reads the day of today. @throws Refused */
export async function refreshDay(token: string): Promise<KnownDay> {
  const { count, since } = waiting.get();
  const day = await readKioskDay(token, { waiting: count, waitingSince: since ?? null });
  const known = { day, at: new Date().toISOString() };
  await keepDay(known);
  return known;
}
