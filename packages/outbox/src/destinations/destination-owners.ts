import type { RawBuilder } from 'kysely';

/**
 * SQL on what destinations belong to: installations, webhooks and bookings are tables of the outbox's caller, which
 * says how the outbox's statements join them.
 */
export interface DestinationOwners {
  /** Of a destination `t` that is claimed for. */
  readonly settings: {
    readonly joins: RawBuilder<unknown>;
    /** Changes with the settings that a connection is made with. */
    readonly version: RawBuilder<string>;
    readonly bookingSystem: RawBuilder<string | null>;
    /** The answers and other properties that may be sent; null if that is not limited. */
    readonly listed: RawBuilder<readonly string[] | null>;
  };
  /** Of a Guest Update `p` that moves to another lane. */
  readonly guests: {
    readonly joins: RawBuilder<unknown>;
    /** Whether the booking system is not told of guests by their ids in the booking. */
    readonly lackBookingIds: RawBuilder<boolean>;
  };
}

/** SQL on the bookings of messages: see {@link DestinationOwners}. */
export interface BookingIds {
  /** Of a destination `d`. */
  readonly installation: {
    readonly joins: RawBuilder<unknown>;
    readonly bookingSystem: RawBuilder<string | null>;
  };
  /** The canonical id of the booking of a message `m` to an installation `o`, which has the `booking_system`. */
  readonly ownId: RawBuilder<string>;
  /** A query for the other ids of that booking `i`, by its `own_id`. */
  readonly otherIds: RawBuilder<string>;
}
