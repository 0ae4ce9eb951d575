import { loadOutbox } from '../outbox/load-outbox.ts';
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
const openDatabase = async () => (await loadOutbox())?.database;

/**
 * `ended`: it was revoked, or paired on another tablet, and has not been paired since.
 * @throws where the browser refuses
 */
export async function openKiosk(): Promise<PairedKiosk | 'unpaired' | 'ended' | 'keeps-nothing'> {
  const database = await openDatabase();
  if (database === undefined) return 'keeps-nothing';
  const token = await database.get('kiosk', 'credential');
  if (token === undefined) return (await database.get('kiosk', 'ended')) === undefined ? 'unpaired' : 'ended';
  const kept = await database.get('kiosk', 'day');
  const known: KnownDay | undefined = kept && JSON.parse(kept.value);
  return { token: token.value, known: known && { ...known, day: asOf(known.day, new Date()) } };
}

export async function keepCredential(token: string): Promise<void> {
  const database = await openDatabase();
  await database?.put('kiosk', { name: 'credential', value: token });
  await database?.remove('kiosk', 'ended');
}

export async function keepDay(known: KnownDay): Promise<void> {
  const database = await openDatabase();
  await database?.put('kiosk', { name: 'day', value: JSON.stringify(known) });
}

/**
 * Deletes the credential and the day. What waits stays.
 * @param hasEnded whether the team has to learn why, also after the page was loaded again
 */
export async function forgetKiosk(hasEnded: boolean): Promise<void> {
  const database = await openDatabase();
  if (hasEnded) await database?.put('kiosk', { name: 'ended', value: new Date().toISOString() });
  await database?.remove('kiosk', 'credential');
  await database?.remove('kiosk', 'day');
}

/** Says what waits here, and reads the day of today. @throws Refused */
export async function readDay(token: string): Promise<KnownDay> {
  const { count, since } = waiting.get();
  const day = await readKioskDay(token, { waiting: count, waitingSince: since ?? null });
  return { day, at: new Date().toISOString() };
}
