import { serviceNow } from '../host/calls.ts';
import type { PinVerifier } from './day.ts';

/** The number of wrong PINs in a row on this tablet, and until when further attempts are blocked. */
interface PinAttempts {
  readonly wrong: number;
  /** Milliseconds since 1970, by the service's clock: the tablet's may be set meanwhile. */
  readonly until: number;
}

const freeAttempts = 5;
const firstWaitMs = 60_000;
const maxWaitMs = 3_600_000;
const storageKey = 'kiosk-pin';

/** After another wrong PIN: from the fifth on, each doubles the wait, up to an hour. */
export function afterWrongPin({ wrong }: PinAttempts, now: number): PinAttempts {
  const next = wrong + 1;
  const waitMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (next - freeAttempts));
  return { wrong: next, until: next < freeAttempts ? 0 : now + waitMs };
}

const none: PinAttempts = { wrong: 0, until: 0 };

/** Kept in the browser's storage, so that reloading the page gives no extra attempts. */
function readAttempts(): PinAttempts {
  try {
    return { ...none, ...JSON.parse(localStorage.getItem(storageKey) ?? '{}') };
  } catch {
    return none;
  }
}

function writeAttempts(attempts: PinAttempts): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(attempts));
  } catch {
    // A kiosk has storage; without it, a reload resets the limit.
  }
}

const fromBase64Url = (text: string) =>
  Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0));

/** Whether the PIN is correct. Slow on purpose: a second or two on an old tablet. */
async function isPin(pin: string, { salt, iterations, hash }: PinVerifier): Promise<boolean> {
  const { subtle } = crypto;
  const key = await subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits']);
  const pbkdf2 = { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64Url(salt), iterations };
  const bits = new Uint8Array(await subtle.deriveBits(pbkdf2, key, 256));
  return fromBase64Url(hash).every((byte, index) => byte === bits[index]);
}

/** How many milliseconds the next attempt must wait. */
export const pinWaitMs = ({ until }: PinAttempts = readAttempts()): number =>
  Math.max(0, until - serviceNow().getTime());

/** Tries a PIN. @returns `wait` after too many wrong ones */
export async function tryPin(pin: string, verifier: PinVerifier): Promise<'right' | 'wrong' | 'wait'> {
  const attempts = readAttempts();
  if (pinWaitMs(attempts) > 0) return 'wait';
  if (await isPin(pin, verifier)) {
    writeAttempts(none);
    return 'right';
  }
  const next = afterWrongPin(attempts, serviceNow().getTime());
  writeAttempts(next);
  return pinWaitMs(next) > 0 ? 'wait' : 'wrong';
}
