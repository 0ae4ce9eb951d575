import type { z } from 'zod';
import type { AccountId } from '../identifiers.ts';
import type { Booking } from '../resources/booking.ts';
import type { Waiver } from '../resources/waiver.ts';
import type { Warning } from '../warning.ts';
import type { BookingForm } from './capabilities.ts';
import type { BookingSystemContext } from './context.ts';
import type { BookingSystemManifest } from './manifest.ts';

/** What every installation brings; a plugin's `accountSchema` may ask for more (contract 2.7). */
export interface InstalledAccount {
  readonly accountId: AccountId;
  readonly apiKey: string;
}

/** A booking that was read. */
export interface FetchedBooking {
  readonly form: BookingForm;
  readonly booking: Booking;
  readonly warnings: readonly Warning[];
}

/** A waiver that was written there, whole or in part: each part that was not is a warning. */
export interface AcceptedWaiver {
  readonly accepted: true;
  readonly warnings: readonly Warning[];
}

/**
 * A waiver of which nothing stands there, and to which another try would change nothing: it has no place there, or the
 * system took the change and kept nothing of it. Its delivery ends as `cancelled`.
 */
export interface UnwritableWaiver {
  readonly accepted: false;
  /** Why, and what could be done about it: a sentence for the operator. */
  readonly reason: string;
  readonly warnings: readonly Warning[];
}

/** What became of a waiver whose writing met no error. */
export type PushedWaiver = AcceptedWaiver | UnwritableWaiver;

/** What a booking system sent to the webhook address handed out at install. */
export interface InboundCall {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** A JSON value; XML as the text that it is; a form as its fields, a list where one comes more than once. */
  readonly body: unknown;
}

/** What an inbound call says. */
export interface InboundNotice {
  /** The bookings that are new or have changed; none where the call is about something else. */
  readonly bookingIds: readonly string[];
}

/** What a plugin may look at to say where a booking system is and how to ask it. */
export interface BookingSystemAccess<Settings = unknown, Account = unknown> {
  readonly settings: Settings;
  readonly account: Account;
  readonly purpose: 'read' | 'guest-update';
}

/** The package that speaks one booking system's API: plain data and functions. */
export interface BookingSystemPlugin<Settings = unknown, Account extends InstalledAccount = InstalledAccount>
  extends BookingSystemManifest {
  /** The booking system's own settings, set once for all its installations. Described, so that forms come from it. */
  readonly settingsSchema: z.ZodType<Settings>;
  /** What an installation must bring. Described, so that forms come from it. */
  readonly accountSchema: z.ZodType<Account>;
  /** The vendor's public address, used where no `baseUrl` is set; `undefined` where one must be set. */
  defaultBaseUrl?(access: BookingSystemAccess<Settings, Account>): string | undefined;
  /** The headers that authenticate a call. */
  authHeaders(access: BookingSystemAccess<Settings, Account>): Readonly<Record<string, string>>;
  /** Reads one booking (contract 4.1). Rejects with one of core's errors. */
  fetchBooking(context: BookingSystemContext<Settings, Account>, bookingId: string): Promise<FetchedBooking>;
  /** Writes one waiver (contract 4.2). Rejects with one of core's errors. Absent where `capabilities.guestUpdate` is false. */
  pushWaiver?(context: BookingSystemContext<Settings, Account>, waiver: Waiver): Promise<PushedWaiver>;
  /** Reads a vendor's own inbound call. Absent where it calls in the contract's form or not at all. */
  parseInbound?(call: InboundCall): InboundNotice;
}
