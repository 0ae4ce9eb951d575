import type { Signing } from '@waiver-service/forms';
import { call, json } from '../host/calls.ts';
import type { StoredSigning } from '../host/session.ts';
import type { Delivery } from '../screens/use-sending.ts';
import type { KioskBooking, KioskDay } from './day.ts';

const bodyOf = (body: unknown) => JSON.stringify(body);

/**
 * @returns the credential
 * @throws Refused
 */
export async function pairTablet(code: string): Promise<string> {
  const answer = await call('/kiosk/pair', { method: 'POST', body: bodyOf({ code }) });
  const { token } = await json<{ token: string }>(answer);
  return token;
}

/** Reports the waiting signings, and reads the day. @throws Refused */
export const readKioskDay = async (
  token: string,
  waiting: { readonly waiting: number; readonly waitingSince: string | null },
): Promise<KioskDay> => json(await call('/kiosk/day', { token, method: 'PUT', body: bodyOf(waiting) }));

const sendAtKiosk = async (
  token: string,
  booking: Delivery['proof']['booking'],
  signing: Signing,
  timeoutMs?: number,
): Promise<StoredSigning> =>
  json(
    await call('/kiosk/signings', {
      ...{ token, method: 'POST' },
      body: bodyOf({ ...(booking === undefined ? {} : { booking }), signing }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }),
  );

/** Delivers a kiosk's signings, with or without a booking. */
export function kioskDelivery(token: string, chosen: KioskBooking | null): Delivery {
  const booking =
    chosen === null ? undefined : { bookingSystem: chosen.bookingSystem, bookingId: chosen.bookingId };
  return {
    proof: { token, ...(booking === undefined ? {} : { booking }) },
    send: (signing, timeoutMs) => sendAtKiosk(token, booking, signing, timeoutMs),
  };
}
