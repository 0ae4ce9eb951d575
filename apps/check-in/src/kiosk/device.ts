import type { AnswerOf, pairKiosk } from '@waiver-service/api';
import { useEffect, useRef, useState } from 'preact/hooks';
import { call, json, post, Refused, serviceNow } from '../host/calls.ts';
import { loadOutbox, type Outbox } from '../outbox/load-outbox.ts';
import { waiting } from '../outbox/waiting.ts';
import type { Delivery } from '../screens/use-sending.ts';
import { asOf, type KioskBooking, type KioskDay } from './day.ts';

/**
 * @returns the credential
 * @throws Refused
 */
export const pairTablet = async (code: string): Promise<string> =>
  (await post<AnswerOf<typeof pairKiosk>>(undefined, '/kiosk/pair', { code })).token;

/** Reports the waiting signings, and reads the day. @throws Refused */
const readKioskDay = async (
  token: string,
  waiting: { readonly waiting: number; readonly waitingSince: string | null },
): Promise<KioskDay> => json(await call('/kiosk/day', { token, method: 'PUT', body: waiting }));

/** Delivers a kiosk's signings, with or without a booking. */
export function kioskDelivery(token: string, chosen: KioskBooking | null): Delivery {
  const booking =
    chosen === null ? undefined : { bookingSystem: chosen.bookingSystem, bookingId: chosen.bookingId };
  return {
    proof: { token, booking },
    send: (signing, timeoutMs) => post(token, '/kiosk/signings', { booking, signing }, timeoutMs),
  };
}

/** A paired tablet's credential and day. */
interface PairedKiosk {
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

async function keepDay(known: KnownDay): Promise<void> {
  const database = await openDatabase();
  await database?.put('kiosk', { name: 'day', value: JSON.stringify(known) });
}

/**
 * Deletes the credential and the day. Waiting signings stay.
 * @param hasEnded whether to record that the pairing was ended elsewhere, so that the page still shows it after a reload
 */
async function forgetKiosk(hasEnded: boolean): Promise<void> {
  const database = await openDatabase();
  if (hasEnded) {
    // On a full disk, the page asks for a code after a reload without saying why.
    await database?.put('kiosk', { name: 'ended', value: 'ended' }).catch(() => undefined);
  }
  await database?.remove('kiosk', 'credential');
  await database?.remove('kiosk', 'day');
}

/** Reports the waiting signings, and reads today's data. @throws Refused */
async function readDay(token: string): Promise<KnownDay> {
  const { count, since } = waiting.get();
  const day = await readKioskDay(token, { waiting: count, waitingSince: since ?? null });
  return { day, at: serviceNow().toISOString() };
}

const refreshMs = 60_000;

const isEnd = (error: unknown) =>
  error instanceof Refused && (error.code === 'kiosk_unknown' || error.code === 'kiosk_revoked');

/** Deletes the guests' names once their day is over. */
function withoutPast(known: KnownDay): KnownDay {
  const day = asOf(known.day, serviceNow());
  if (day === known.day) return known;
  const next = { ...known, day };
  // On a full disk, it is tried again every minute.
  keepDay(next).catch(() => undefined);
  return next;
}

/**
 * This tablet's pairing and day. Refreshed every minute, when the tablet goes online, and when the number of waiting
 * signings changes, so that the console shows it.
 * @param onEnd called when the pairing ends; `hasEnded`: ended elsewhere, not by the team at this tablet
 */
export function usePairedKiosk(onEnd: (hasEnded: boolean) => void) {
  const [paired, setPaired] = useState<PairedKiosk>();
  const token = paired?.token;
  // The token of the current pairing: a response for a previous one is ignored.
  const current = useRef<string | undefined>(undefined);

  const pair = (next: PairedKiosk) => {
    current.current = next.token;
    setPaired(next);
  };
  const leave = async (hasEnded: boolean) => {
    current.current = undefined;
    await forgetKiosk(hasEnded);
    setPaired(undefined);
    onEnd(hasEnded);
  };
  const refresh = async (credential: string) => {
    try {
      const known = await readDay(credential);
      if (current.current !== credential) return;
      setPaired({ token: credential, known });
      await keepDay(known);
    } catch (error) {
      if (isEnd(error) && current.current === credential) await leave(true);
    }
  };
  useEffect(() => {
    if (token === undefined) return;
    const refreshNow = () => {
      setPaired((now) => now && { ...now, known: now.known && withoutPast(now.known) });
      void refresh(token);
    };
    const timer = setInterval(refreshNow, refreshMs);
    let count = waiting.get().count;
    const stop = waiting.watch(() => {
      if (waiting.get().count === count) return;
      count = waiting.get().count;
      void refresh(token);
    });
    addEventListener('online', refreshNow);
    return () => {
      clearInterval(timer);
      stop();
      removeEventListener('online', refreshNow);
    };
  }, [token]);
  return { paired, pair, refresh, unpair: () => leave(false) };
}

/** Keeps the screen on while the page is visible, if the browser can. @returns a function that stops this */
export function keepAwake(): () => void {
  let isEnded = false;
  let lock: WakeLockSentinel | undefined;
  const take = async () => {
    if (isEnded || document.visibilityState !== 'visible') return;
    lock = await navigator.wakeLock?.request('screen').catch(() => undefined);
  };
  void take();
  // The browser releases the lock when the page is hidden.
  document.addEventListener('visibilitychange', take);
  return () => {
    isEnded = true;
    document.removeEventListener('visibilitychange', take);
    void lock?.release();
  };
}

export const canFillScreen = (): boolean => document.fullscreenEnabled === true;

export const fillScreen = (): void => {
  document.documentElement.requestFullscreen({ navigationUI: 'hide' }).catch(() => undefined);
};

export const leaveFullScreen = (): void => {
  document.exitFullscreen().catch(() => undefined);
};

/** Lets the kiosk be added to the home screen, where it has no address bar. */
export function addManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/check-in/kiosk.webmanifest';
  document.head.append(link);
}
