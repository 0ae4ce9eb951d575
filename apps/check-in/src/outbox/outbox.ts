import type { Signing } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { Refused, sendEnvelope } from '../host/calls.ts';
import { database, type WaitingSigning } from './database.ts';
import { guestKey } from './guest-key.ts';
import { nextWaitMs } from './next-attempt.ts';
import { waiting } from './waiting.ts';

/*
 * A signing on the device:
 *
 *   (confirmed) ── sealed, written and read back ──▶ waiting ── the service has stored it ──▶ (deleted)
 *                                                       └── its guest's own attempt is refused ──▶ (deleted; they go on)
 *
 * From `waiting` on it is sent without its guest: a page that is killed at any moment goes on when it is opened again.
 */

/** The content of an envelope. */
export interface SigningToKeep {
  readonly token: string;
  readonly booking?: { readonly bookingSystem: string; readonly bookingId: string };
  readonly signing: Signing;
}

/** How long a guest waits for the answer before they are thanked, and the signing is sent without them. */
export const patienceMs = 8_000;

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

/** Signings whose guest waits for the answer on this page. */
const attended = new Set<string>();

/**
 * Seals a signing and writes it to the device, all of it at once. When this resolves, it was read back.
 * @throws where the browser refuses, or is full
 */
export async function keepSigning(key: SealingKey, toKeep: SigningToKeep): Promise<void> {
  const { booking, signing } = toKeep;
  const { id } = signing;
  const envelope = await sealEnvelope(key, JSON.stringify(toKeep));
  const now = Date.now();
  attended.add(id);
  await database.put('outbox', {
    ...{ id, key: key.id, envelope, attempts: 0, dueAt: 0 },
    queuedAt: new Date(now).toISOString(),
    ...(booking === undefined ? {} : { guests: guestsOf(booking, signing) }),
    notBefore: now + patienceMs,
  });
  const written = await database.get('outbox', id);
  if (written?.envelope !== envelope) throw new Error('the signing was not read back as it was written');
}

/** Deletes a signing that the service has, or that its guest changes. */
export async function dropSigning(id: string): Promise<void> {
  attended.delete(id);
  await database.remove('outbox', id);
}

/** Leaves a signing to be sent without its guest. */
export async function leaveSigning(id: string): Promise<void> {
  attended.delete(id);
  await database.update('outbox', id, (one) => ({ ...one, notBefore: 0 }));
  await show();
  void sendNow();
}

/** Whether a signing waits on this device. */
export const isWaiting = async (id: string): Promise<boolean> =>
  (await database.get('outbox', id)) !== undefined;

// Answers that are the same the next time, whatever the signal.
const isLasting = ({ code }: Refused) =>
  code === 'refused' || code === 'too_large' || code === 'link_unknown';

async function sendOne(one: WaitingSigning): Promise<'sent' | 'waiting' | 'stuck'> {
  try {
    await sendEnvelope(one.key, one.envelope);
  } catch (error) {
    const problem = error instanceof Refused && isLasting(error) ? error.code : undefined;
    const dueAt = Date.now() + nextWaitMs(one.attempts, problem !== undefined, Math.random());
    await database.update('outbox', one.id, ({ problem: _, ...now }) => ({
      ...now,
      attempts: now.attempts + 1,
      dueAt,
      ...(problem === undefined ? {} : { problem }),
    }));
    return problem === undefined ? 'waiting' : 'stuck';
  }
  await database.remove('outbox', one.id);
  waiting.set({ sent: waiting.get().sent + 1 });
  return 'sent';
}

let running: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

function wakeAfter(waitMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void run(false), waitMs);
}

/** After the browser's database failed: iOS closes it when memory is short. */
const afterFailureMs = 10_000;

async function send(isForced: boolean): Promise<void> {
  clearTimeout(timer);
  for (const one of await show()) {
    const now = Date.now();
    if (attended.has(one.id) || one.notBefore > now || (!isForced && one.dueAt > now)) continue;
    // Without signal, none of the others goes either.
    if ((await sendOne(one)) === 'waiting') break;
  }
  const rest = (await show()).filter(({ id }) => !attended.has(id));
  if (rest.length === 0) return;
  const next = Math.min(...rest.map(({ dueAt, notBefore }) => Math.max(dueAt, notBefore)));
  wakeAfter(Math.max(1_000, next - Date.now()));
}

function run(isForced: boolean): Promise<void> {
  // One at a time; what comes meanwhile is seen by the next run.
  running = (running ?? Promise.resolve()).then(() => send(isForced)).catch(() => wakeAfter(afterFailureMs));
  return running;
}

/** Sends what waits, however often it was tried. */
export const sendNow = (): Promise<void> => run(true);

const probe = 'probe';
/** As large as a signing without photos. */
const probeLength = 64 * 1024;
/** For one with photos. */
const neededBytes = 8 * 1024 * 1024;

/** Whether the browser can seal a signing and write it down: not over plain HTTP, in some private windows, on a full disk. */
async function keepsSignings(): Promise<boolean> {
  try {
    if (crypto.subtle === undefined) return false;
    const { quota, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (quota !== undefined && quota - usage < neededBytes) return false;
    const until = new Date().toISOString();
    await database.put('sessions', { link: probe, session: '.'.repeat(probeLength), until });
    await database.remove('sessions', probe);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes ready to keep signings, and to send them when the device goes online, when someone comes back to the page, and from
 * time to time while it is open. `sendNow` begins.
 * @returns false: this browser keeps nothing
 */
export async function startOutbox(): Promise<boolean> {
  if (!(await keepsSignings())) return false;
  addEventListener('online', () => void sendNow());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void sendNow();
  });
  return true;
}
