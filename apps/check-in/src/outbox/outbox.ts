import type { Signing } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { type CheckInSession, clockAheadMs, Refused, sendEnvelope, serviceNow } from '../host/calls.ts';
import { database, type WaitingSigning } from './database.ts';
import { guestKey, waiting } from './waiting.ts';

export { database };

async function hashOf(token: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Stores a link's session until the link ends, to open it offline; deletes those of ended links. */
export async function keepSession(token: string, session: CheckInSession, until: string): Promise<void> {
  const now = serviceNow().toISOString();
  for (const { link, until: end } of await database.all('sessions'))
    if (end < now) await database.remove('sessions', link);
  await database.put('sessions', { link: await hashOf(token), session: JSON.stringify(session), until });
}

/** The stored session of a link, if it was opened on this device before and has not ended. */
export async function readKeptSession(token: string): Promise<CheckInSession | undefined> {
  const kept = await database.get('sessions', await hashOf(token));
  return kept === undefined || kept.until < serviceNow().toISOString() ? undefined : JSON.parse(kept.session);
}

/** Deletes the session of a link that was revoked or has ended. */
export const forgetSession = async (token: string): Promise<void> =>
  database.remove('sessions', await hashOf(token));

const firstWaitMs = 5_000;
const maxWaitMs = 5 * 60_000;
/** After a response that will not change by itself. */
const problemWaitMs = 6 * 3_600_000;

/**
 * The backoff before a signing's next attempt. Going online or returning to the page retries at once.
 * @param random - between 0 and 1: jitter for devices that lost the network together
 */
export function nextWaitMs(attempts: number, hasProblem: boolean, random: number): number {
  const wait = hasProblem ? problemWaitMs : Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(attempts, 10));
  return Math.round(wait * (0.75 + random / 2));
}

const maxBackoffMs = problemWaitMs * 1.25;

/** How long until a time on the device's clock. One further ahead than was ever set: the clock was ahead then. */
const untilMs = (at: number, now: number, maxMs: number) => (at - now > maxMs ? 0 : Math.max(0, at - now));

/**
 * How long a signing must wait.
 * @param now - by the device's clock, which may have been set since the signing was written
 * @param isForced whether to ignore its backoff
 */
export const waitMsOf = (
  { notBefore, dueAt }: Pick<WaitingSigning, 'notBefore' | 'dueAt'>,
  now: number,
  isForced: boolean,
): number => Math.max(untilMs(notBefore, now, attendedMs), isForced ? 0 : untilMs(dueAt, now, maxBackoffMs));

/*
 * A signing on the device:
 *
 *   (confirmed) ── sealed, written and read back ──▶ waiting ── the service has stored it ──▶ (deleted)
 *                                                       └── its guest's own attempt is refused ──▶ (deleted; they go on)
 *
 * From `waiting` on, sending does not need the guest: if the page is killed, the next one that opens continues.
 */

/** The content of an envelope, besides how far the device's clock is off. */
export interface SigningToKeep {
  readonly token: string;
  readonly booking?: { readonly bookingSystem: string; readonly bookingId: string };
  readonly signing: Signing;
}

/** How long a guest waits for the response before being thanked; then the signing is sent in the background. */
export const attendedMs = 8_000;

async function show(): Promise<readonly WaitingSigning[]> {
  const all = await database.all('outbox');
  waiting.set({
    count: all.length,
    since: all.map(({ queuedAt }) => queuedAt).sort()[0],
    guests: all.flatMap(({ guests = [] }) => guests),
    stuck: all.filter(({ problem }) => problem !== undefined).length,
  });
  return all;
}

const guestsOf = (booking: NonNullable<SigningToKeep['booking']>, { guests }: Signing) =>
  guests.flatMap(({ bookingGuestId }) =>
    bookingGuestId === undefined ? [] : [guestKey(booking, bookingGuestId)],
  );

/** Signings whose guest is waiting for the response on this page. */
const attended = new Set<string>();

/**
 * Seals a signing and writes it to the device in one transaction. Resolves once it has been read back.
 * @throws if the browser refuses or its storage is full
 */
export async function keepSigning(key: SealingKey, toKeep: SigningToKeep): Promise<void> {
  const { booking, signing } = toKeep;
  const { id } = signing;
  // The service corrects the device's times by it.
  const envelope = await sealEnvelope(key, JSON.stringify({ ...toKeep, clockAheadMs: clockAheadMs() }));
  const now = Date.now();
  attended.add(id);
  await database.put('outbox', {
    ...{ id, key: key.id, envelope, attempts: 0, dueAt: 0 },
    queuedAt: serviceNow().toISOString(),
    guests: booking && guestsOf(booking, signing),
    notBefore: now + attendedMs,
  });
  const written = await database.get('outbox', id);
  if (written?.envelope !== envelope) throw new Error('the signing was not read back as it was written');
}

/** Deletes a signing that the service has, or that the guest will change. */
export async function dropSigning(id: string): Promise<void> {
  attended.delete(id);
  await database.remove('outbox', id);
  await show();
}

/** Releases a signing to be sent in the background. */
export async function leaveSigning(id: string): Promise<void> {
  attended.delete(id);
  await database.update('outbox', id, (one) => ({ ...one, notBefore: 0 }));
  await show();
  void sendNow();
}

export const isWaiting = async (id: string): Promise<boolean> =>
  (await database.get('outbox', id)) !== undefined;

// Responses that a retry will not change.
const isLasting = ({ code }: Refused) =>
  code === 'refused' || code === 'too_large' || code === 'link_unknown';

async function sendOne(one: WaitingSigning): Promise<'sent' | 'waiting' | 'stuck'> {
  let copy: string | undefined;
  try {
    copy = await sendEnvelope(one.key, one.envelope);
  } catch (error) {
    const problem = error instanceof Refused && isLasting(error) ? error.code : undefined;
    const asked = error instanceof Refused ? error.retryAfterMs : 0;
    const waitMs = Math.max(asked, nextWaitMs(one.attempts, problem !== undefined, Math.random()));
    const dueAt = Date.now() + Math.min(waitMs, maxBackoffMs);
    await database.update('outbox', one.id, ({ problem: _, ...now }) => ({
      ...now,
      attempts: now.attempts + 1,
      dueAt,
      ...(problem === undefined ? {} : { problem }),
    }));
    return problem === undefined ? 'waiting' : 'stuck';
  }
  await database.remove('outbox', one.id);
  const { sent, copies } = waiting.get();
  waiting.set({ sent: sent + 1, ...(copy === undefined ? {} : { copies: { ...copies, [one.id]: copy } }) });
  return 'sent';
}

let running: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function wakeAfter(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void run(false), waitMs);
}

/** The wait after the browser's database fails: iOS closes it when memory is low. */
const afterFailureMs = 10_000;

async function send(isForced: boolean): Promise<void> {
  clearTimeout(timer);
  for (const one of await show()) {
    if (attended.has(one.id) || waitMsOf(one, Date.now(), isForced) > 0) continue;
    // Probably offline: do not try the others.
    if ((await sendOne(one)) === 'waiting') break;
  }
  const rest = (await show()).filter(({ id }) => !attended.has(id));
  if (rest.length === 0) return;
  const now = Date.now();
  wakeAfter(Math.max(1_000, Math.min(...rest.map((one) => waitMsOf(one, now, false)))));
}

function run(isForced: boolean): Promise<void> {
  // One run at a time; the next one picks up signings added meanwhile.
  running = (running ?? Promise.resolve()).then(() => send(isForced)).catch(() => wakeAfter(afterFailureMs));
  return running;
}

/** Sends all waiting signings now, ignoring their backoff. */
export const sendNow = (): Promise<void> => run(true);

const probe = 'probe';
/** The size of a signing without photos. */
const probeLength = 64 * 1024;
/** Enough for a signing with photos. */
const neededBytes = 8 * 1024 * 1024;

/** Whether the browser can seal and store signings: not over plain HTTP, in some private windows, or on a full disk. */
async function keepsSignings(): Promise<boolean> {
  try {
    if (crypto.subtle === undefined) return false;
    const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (quota !== undefined && quota - usage < neededBytes) return false;
    await database.put('sessions', { link: probe, session: '.'.repeat(probeLength), until: '' });
    await database.remove('sessions', probe);
    return true;
  } catch {
    return false;
  }
}

let keeping: Promise<boolean> | undefined;

/** Whether this browser can store new signings: guests are told so before they begin. Tried again if it could not. */
export async function canKeep(): Promise<boolean> {
  keeping ??= keepsSignings();
  const keeps = await keeping;
  if (!keeps) keeping = undefined;
  return keeps;
}

/**
 * Shows what waits, and sends it when the device goes online or the page becomes visible, even if no new signings can
 * be stored. The first `sendNow` starts the retries.
 * @returns false if this browser refuses its database
 */
export async function startOutbox(): Promise<boolean> {
  try {
    await show();
  } catch {
    return false;
  }
  addEventListener('online', () => void sendNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void sendNow();
  });
  return true;
}
