import { type BookingSystemPlugin, bookingIdSchema, isBookingSystemError } from '@waiver-service/core';
import type { Bookings, OutboundMessage } from '@waiver-service/store';

/** A Guest Update, and the id of its booking. */
interface BookingMessage extends Pick<OutboundMessage, 'pool' | 'orderingKey'> {
  readonly bookingId: string;
}

/**
 * Keeps the Guest Updates of one booking in one lane where a booking has several ids: nothing is written but from the lane
 * of the booking's own id.
 */
export interface BookingLanes {
  /** The id to write under: the booking's own, as far as it is known. */
  ownIdOf(message: BookingMessage, plugin: BookingSystemPlugin): Promise<string>;
  /** The booking's own id, noted, if an error said that it is another one than that in the message. */
  noteOwnId(
    error: unknown,
    message: BookingMessage,
    plugin: BookingSystemPlugin,
  ): Promise<string | undefined>;
}

/** Whether a message is queued under an alias of its booking. Lanes keyed by waiver are unaffected. */
export const isInOtherLane = ({ orderingKey, bookingId }: BookingMessage, ownId: string): boolean =>
  orderingKey === bookingId && ownId !== bookingId;

function statedOwnId(error: unknown): string | undefined {
  if (!isBookingSystemError(error) || error.code !== 'booking_has_other_id') return undefined;
  return bookingIdSchema.safeParse('bookingId' in error ? error.bookingId : undefined).data;
}

/** Creates the {@link BookingLanes} of this process. */
export function createBookingLanes(bookings: Pick<Bookings, 'addAlias' | 'ownId'>): BookingLanes {
  return {
    async ownIdOf({ pool, bookingId }, { installName: bookingSystem, capabilities }) {
      return capabilities.aliases === true ? bookings.ownId({ pool, bookingSystem, bookingId }) : bookingId;
    },
    async noteOwnId(error, { pool, bookingId: alias }, { installName: bookingSystem, capabilities }) {
      const bookingId = statedOwnId(error);
      if (capabilities.aliases !== true || bookingId === undefined || bookingId === alias) return undefined;
      const noted = await bookings.addAlias({ pool, bookingSystem, bookingId, alias });
      // Two ids that lead to one another must not send the message round for ever.
      return noted === 'noted' ? bookingId : undefined;
    },
  };
}
