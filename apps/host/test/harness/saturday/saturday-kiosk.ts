import type { Signing } from '@waiver-service/forms';
import { type SealingKey, sealEnvelope } from '@waiver-service/forms/envelope';
import { textAt } from '@waiver-service/testing';
import type { TestHost } from '../test-host.ts';
import { patiently } from './saturday-guests.ts';

/** A booking as signings at a kiosk name it. */
export interface KioskBooking {
  readonly bookingSystem: string;
  readonly bookingId: string;
}

/** A tablet at the desk. */
export interface SaturdayKiosk {
  /** Signs for a booking, or, without signal, seals the signing and keeps it. */
  sign(booking: KioskBooking, signing: Signing): Promise<void>;
  loseSignal(): void;
  /** Sends what waits, and does so twice, as a tablet that never got the first answer. @returns how many there were */
  findSignal(): Promise<number>;
}

interface Sealed {
  readonly key: SealingKey;
  readonly envelope: string;
}

/** Pairs a tablet by a code of the console. */
export async function pairKiosk({ admin, as }: TestHost, pool: string, name: string): Promise<SaturdayKiosk> {
  const added = await admin('POST', `/v1/admin/pools/${pool}/kiosks`, { name, pin: '2468' });
  const anyone = patiently(as(null));
  const paired = await anyone('POST', '/check-in/api/kiosk/pair', { code: textAt(added.body, 'code') });
  const token = textAt(paired.body, 'token');
  const kiosk = patiently(as(token));
  const { body: day } = await kiosk('PUT', '/check-in/api/kiosk/day', { waiting: 0, waitingSince: null });
  const key: SealingKey = day.sealing;
  const waiting: Sealed[] = [];
  let hasSignal = true;
  return {
    async sign(booking, signing) {
      if (!hasSignal) {
        waiting.push({ key, envelope: await sealEnvelope(key, JSON.stringify({ token, booking, signing })) });
        return;
      }
      const { status, body, text } = await kiosk('POST', '/check-in/api/kiosk/signings', {
        booking,
        signing,
      });
      if (status !== 201 && body.code !== 'booking_cancelled')
        throw new Error(`the kiosk was answered ${status}: ${text}`);
    },
    loseSignal() {
      hasSignal = false;
    },
    async findSignal() {
      hasSignal = true;
      for (const _time of [1, 2]) {
        for (const { key: sealedWith, envelope } of waiting) {
          const path = `/check-in/api/sealed-signings/${sealedWith.id}`;
          const { status, text } = await anyone('POST', path, { envelope });
          if (status >= 300) throw new Error(`a signing that waited was answered ${status}: ${text}`);
        }
      }
      return waiting.length;
    },
  };
}
