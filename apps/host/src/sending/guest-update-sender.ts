import type { GuestUpdate } from '@waiver-service/core';
import { type InDoubt, outcomeOf, type Refused, type Sender } from '@waiver-service/delivery';
import type { Exchange } from '@waiver-service/outbound';
import type { Bookings } from '@waiver-service/store';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import { createBookingLanes, isInOtherLane } from './booking-lanes.ts';

export interface GuestUpdateSenderParts {
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  readonly bookings: Pick<Bookings, 'addAlias' | 'ownId'>;
  /** Milliseconds for one Guest Update as a whole, however many calls the plugin makes for it. */
  readonly timeoutMs: number;
}

const isSuccess = (status: number | undefined) => status !== undefined && status >= 200 && status < 300;

/**
 * The part of a failed attempt's last response to store. A 2xx may contain guest data (a booking that was read before
 * the write, say), so it is stored only if it rejected the waiver.
 */
function storedResponseOf(
  last: Exchange | undefined,
  { errorCode }: Pick<Refused | InDoubt, 'errorCode'>,
): Pick<Refused | InDoubt, 'status' | 'response'> {
  if (last === undefined) return {};
  const { method, status, excerpt: response } = last;
  if (isSuccess(status) && (method === 'GET' || errorCode !== 'not_accepted')) return {};
  return { status, response };
}

/**
 * Makes the sender of Guest Updates (contract 4.2): through the plugin of the booking system, with the key and the
 * settings of this moment.
 */
export function createGuestUpdateSender(parts: GuestUpdateSenderParts): Sender {
  const { connector, bookings, timeoutMs } = parts;
  const lanes = createBookingLanes(bookings);
  return async (message, signal, limits) => {
    const started = performance.now();
    const connection = await connector.connect(message);
    // Uninstalling cancels what waits; this one was claimed a moment before.
    if (connection === undefined)
      throw new Error(`destination ${message.destination} is not installed any more`);
    const { plugin } = connection;
    // Trusted: serialized by the store.
    const { waiver }: GuestUpdate = JSON.parse(message.body);
    // Its booking's own id may have become known since.
    let written = { ...message, bookingId: message.bookingId ?? waiver.bookingId };
    let last: Exchange | undefined;
    const durationMs = () => Math.round(performance.now() - started);
    const movedTo = (bookingId: string) =>
      ({ outcome: 'postponed', waitMs: 0, bookingId, durationMs: durationMs() }) as const;
    try {
      const context = connection.contextFor({
        purpose: 'guest-update',
        signal,
        deadlineAt: performance.now() + timeoutMs,
        ...(limits && { countedUntil: limits.countedUntil, onTurn: () => limits.checkLease() }),
        onExchange: (exchange) => {
          last = exchange;
          limits?.checkLease();
        },
      });
      if (plugin.pushWaiver === undefined) {
        const reason = `${plugin.displayName} takes no Guest Updates`;
        return { outcome: 'nothing-written', reason, durationMs: durationMs() };
      }
      const bookingId = await lanes.ownIdOf(written, plugin);
      if (isInOtherLane(written, bookingId)) return movedTo(bookingId);
      written = { ...written, bookingId };
      const pushed = await plugin.pushWaiver(context, { ...waiver, bookingId });
      const { accepted, warnings } = pushed;
      const status = last?.status;
      return accepted
        ? { outcome: 'accepted', status, warnings, durationMs: durationMs() }
        : { outcome: 'nothing-written', status, warnings, reason: pushed.reason, durationMs: durationMs() };
    } catch (error) {
      const ownId = await lanes.noteOwnId(error, written, plugin);
      if (ownId !== undefined) return movedTo(ownId);
      const outcome = outcomeOf(error);
      // Rethrown unchanged so that the original error is logged.
      if (outcome.outcome === 'own-fault') throw error;
      if (outcome.outcome === 'postponed') return { durationMs: durationMs(), ...outcome };
      return { ...storedResponseOf(last, outcome), durationMs: durationMs(), ...outcome };
    }
  };
}
