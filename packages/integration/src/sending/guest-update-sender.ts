import {
  type BookingSystemPlugin,
  bookingIdSchema,
  type GuestUpdate,
  isBookingSystemError,
  type Warning,
} from '@waiver-service/core';
import { type InDoubt, outcomeOf, type Refused, type Sender } from '@waiver-service/delivery';
import type { Exchange } from '@waiver-service/outbound';
import type { OutboundMessage } from '@waiver-service/outbox';
import type { Bookings, Installations } from '@waiver-service/store';
import type { CheckIn } from '../given.ts';
import type { BookingSystemConnector } from '../plugins/connect-booking-system.ts';

export interface GuestUpdateSenderParts {
  readonly connector: Pick<BookingSystemConnector, 'connect'>;
  readonly bookings: Pick<Bookings, 'addAlias' | 'ownId'>;
  readonly installations: Pick<Installations, 'withdraw'>;
  readonly checkIn: Pick<CheckIn, 'documentOf'>;
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

/** A Guest Update, and the id of its booking. */
interface BookingMessage extends Pick<OutboundMessage, 'pool' | 'orderingKey'> {
  readonly bookingId: string;
}

/** Whether a message is queued under an alias of its booking. Lanes keyed by waiver are unaffected. */
const isInOtherLane = ({ orderingKey, bookingId }: BookingMessage, ownId: string): boolean =>
  orderingKey === bookingId && ownId !== bookingId;

function statedOwnId(error: unknown): string | undefined {
  if (!isBookingSystemError(error) || error.code !== 'booking_has_other_id') return undefined;
  return bookingIdSchema.safeParse('bookingId' in error ? error.bookingId : undefined).data;
}

/**
 * Creates the sender of Guest Updates (contract 4.2): through the booking system's plugin, with the current key and
 * settings. If a booking has several ids, its Guest Updates are only sent from the lane of the canonical one.
 */
export function createGuestUpdateSender(parts: GuestUpdateSenderParts): Sender {
  const { connector, bookings, installations, checkIn, timeoutMs } = parts;

  /** Stores the booking's own id, if an error says that it is not the id in the message. */
  async function noteOwnId(
    error: unknown,
    { pool, bookingId: alias }: BookingMessage,
    { installName: bookingSystem, capabilities }: BookingSystemPlugin,
  ): Promise<string | undefined> {
    const bookingId = statedOwnId(error);
    if (capabilities.aliases !== true || bookingId === undefined || bookingId === alias) return undefined;
    const noted = await bookings.addAlias({ pool, bookingSystem, bookingId, alias });
    // Two ids that refer to each other must not make the message loop forever.
    return noted === 'noted' ? bookingId : undefined;
  }

  return async (message, signal, limits) => {
    const started = performance.now();
    const connection = await connector.connect(message);
    // Uninstalling cancels waiting messages; this one was claimed a moment before.
    if (connection === undefined)
      throw new Error(`destination ${message.destination} is not installed any more`);
    const { plugin, sharesDocument } = connection;
    // Trusted: serialized by the store.
    const { waiver }: GuestUpdate = JSON.parse(message.body);
    const { pool, orderingKey } = message;
    let bookingId = message.bookingId ?? waiver.bookingId;
    let last: Exchange | undefined;
    const durationMs = () => Math.round(performance.now() - started);
    const movedTo = (ownId: string) =>
      ({ outcome: 'postponed', waitMs: 0, bookingId: ownId, durationMs: durationMs() }) as const;
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
      if (plugin.capabilities.aliases) {
        // It may have become known since.
        const ownId = await bookings.ownId({ pool, bookingSystem: plugin.installName, bookingId });
        if (isInOtherLane({ pool, orderingKey, bookingId }, ownId)) return movedTo(ownId);
        bookingId = ownId;
      }
      const documentWarnings: Warning[] = [];
      const document =
        sharesDocument && !waiver.deleted
          ? checkIn.documentOf(message, (warning) => documentWarnings.push(warning))
          : undefined;
      const pushed = await plugin.pushWaiver(context, { ...waiver, bookingId }, document);
      const { accepted, withdraws } = pushed;
      const warnings = [...pushed.warnings, ...documentWarnings];
      if (withdraws !== undefined && plugin.capabilities.permissions?.includes(withdraws)) {
        await installations.withdraw(pool, plugin.installName, withdraws);
      }
      const status = last?.status;
      return accepted
        ? { outcome: 'accepted', status, warnings, durationMs: durationMs() }
        : { outcome: 'nothing-written', status, warnings, reason: pushed.reason, durationMs: durationMs() };
    } catch (error) {
      const ownId = await noteOwnId(error, { pool, orderingKey, bookingId }, plugin);
      if (ownId !== undefined) return movedTo(ownId);
      const outcome = outcomeOf(error);
      // Rethrown unchanged so that the original error is logged.
      if (outcome.outcome === 'own-fault') throw error;
      if (outcome.outcome === 'postponed') return { durationMs: durationMs(), ...outcome };
      return { ...storedResponseOf(last, outcome), durationMs: durationMs(), ...outcome };
    }
  };
}
