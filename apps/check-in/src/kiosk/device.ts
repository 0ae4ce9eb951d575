import { serviceNow } from '../host/clock.ts';
import { loadOutbox, type Outbox } from '../outbox/load-outbox.ts';
import { waiting } from '../outbox/waiting.ts';
import { readKioskDay } from './calls.ts';
import { asOf, type KioskDay } from './day.ts';

/** A paired tablet's credential and day. */
export interface PairedKiosk {
  readonly token: string;
  /** Undefined until read. */
  readonly known: KnownDay | undefined;
}

export interface KnownDay {
  readonly day: KioskDay;
  /** When it was read, by the service's clock. */
  readonly at: string;
}

/** `ended`: it was revoked or paired with another tablet, and this one has not been paired since. */
type Pairing = PairedKiosk | 'unpaired' | 'ended';

interface OpenedTablet {
  /** False: this browser cannot store new signings, so that it cannot be paired; if it is, its guests must stay online. */
  readonly canKeep: boolean;
  readonly pairing: Pairing;
}

/** The tablet's database; undefined if the browser refuses it. */
const openDatabase = async () => (await loadOutbox())?.database;

async function readPairing(database: Outbox['database']): Promise<Pairing> {
  const token = await database.get('kiosk', 'credential');
  if (token === undefined) return (await database.get('kiosk', 'ended')) === undefined ? 'unpaired' : 'ended';
  const kept = await database.get('kiosk', 'day');
  const known: KnownDay | undefined = kept && JSON.parse(kept.value);
  return { token: token.value, known: known && { ...known, day: asOf(known.day, serviceNow()) } };
}

/** @throws if the browser refuses access */
export async function openTablet(): Promise<OpenedTablet> {
  const outbox = await loadOutbox();
  if (outbox === undefined) return { canKeep: false, pairing: 'unpaired' };
  return { canKeep: await outbox.canKeep(), pairing: await readPairing(outbox.database) };
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
 * Deletes the credential and the day. Waiting signings stay.
 * @param hasEnded whether to record that the pairing was ended elsewhere, so that the page still shows it after a reload
 */
export async function forgetKiosk(hasEnded: boolean): Promise<void> {
  const database = await openDatabase();
  if (hasEnded) {
    // On a full disk, the page asks for a code after a reload without saying why.
    await database?.put('kiosk', { name: 'ended', value: 'ended' }).catch(() => undefined);
  }
  await database?.remove('kiosk', 'credential');
  await database?.remove('kiosk', 'day');
}

/** Reports the waiting signings, and reads today's data. @throws Refused */
export async function readDay(token: string): Promise<KnownDay> {
  const { count, since } = waiting.get();
  const day = await readKioskDay(token, { waiting: count, waitingSince: since ?? null });
  return { day, at: serviceNow().toISOString() };
}
