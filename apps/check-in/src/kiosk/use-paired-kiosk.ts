import { useEffect, useRef, useState } from 'preact/hooks';
import { Refused } from '../host/calls.ts';
import { serviceNow } from '../host/clock.ts';
import { waiting } from '../outbox/waiting.ts';
import { asOf } from './day.ts';
import { forgetKiosk, type KnownDay, keepDay, type PairedKiosk, readDay } from './device.ts';

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
