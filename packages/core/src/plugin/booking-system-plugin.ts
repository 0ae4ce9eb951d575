import type { z } from 'zod';
import type { AccountId } from '../identifiers.ts';
import type { Waiver } from '../resources/waiver.ts';
import type { Warning } from '../warning.ts';
import type { BookingSystemAccess, BookingSystemContext, BookingSystemResponse } from './context.ts';
import type { FetchedBooking } from './fetched-booking.ts';
import type { InboundFunctions } from './inbound.ts';
import type {
  BookingChanges,
  BookingChangesRequest,
  BookingListRequest,
  CheckedAccess,
  ListedBookings,
} from './listing.ts';
import type { BookingSystemManifest } from './manifest.ts';
import type { BookingSystemSession, RequestAuthentication, RequestToAuthenticate } from './session.ts';

/**
 * The meaning of a booking system’s response for its account and booking, whatever its status:
 *
 * - `throttled`: too many requests. All hosts pause the installation for the given time.
 * - `bad-key`: the account's key is rejected.
 * - `no-permission`: the key is known, but may not do this, or not for this account.
 * - `not-found`: no such booking. A Guest Update is retried by the whole schedule.
 * - `gone`: the booking no longer exists. A Guest Update is not retried.
 */
export const answerMeanings = ['throttled', 'bad-key', 'no-permission', 'not-found', 'gone'] as const;

/** The meaning of a booking system’s answer. */
export interface AnswerMeaning {
  /** One of {@link answerMeanings}. */
  readonly meaning: (typeof answerMeanings)[number];
  /** If throttled: milliseconds to wait. Default: what `Retry-After` says. */
  readonly retryAfterMs?: number | undefined;
  /** The vendor's own words, for the message. */
  readonly vendorMessage?: string | undefined;
}

/** The maximum size of a {@link SignedDocument}, in bytes. */
export const maxSignedDocumentBytes = 4 * 1024 * 1024;

/**
 * Renders the document of a waiver signed on the check-in page: a PDF of at most {@link maxSignedDocumentBytes} that
 * shows what was signed, without health answers. `undefined` if there is none; the host warns the operator if one was
 * expected. Each call renders it again, which may take seconds: call it once, where the document is sent, and do not
 * catch its errors.
 */
export type SignedDocument = () => Promise<Uint8Array | undefined>;

/** The account fields that every installation has; a plugin's `accountSchema` may require more (contract 2.7). */
export interface InstalledAccount {
  /** The id of the account in the booking system. */
  readonly accountId: AccountId;
  /** The key that the account was installed with. */
  readonly apiKey: string;
}

/** The waiver was written to the booking system, with a warning for each part that could not be. */
export interface AcceptedWaiver {
  readonly accepted: true;
  /** One for each part that was not written. */
  readonly warnings: readonly Warning[];
  /**
   * Set if the write did the harm that a permission allows: that permission, one of `capabilities.permissions`. The
   * host sets it to false until an operator grants it again.
   */
  readonly withdraws?: string | undefined;
}

/**
 * Nothing of the waiver was written, and a retry would not help: the booking system has no field for it, or accepted
 * the change without storing it. The delivery ends as `cancelled`.
 */
export interface UnwritableWaiver {
  readonly accepted: false;
  /** Why, and what the operator can do about it. */
  readonly reason: string;
  /** Further details. */
  readonly warnings: readonly Warning[];
  /** As in `AcceptedWaiver`. */
  readonly withdraws?: string | undefined;
}

/** The result of `pushWaiver`. */
export type PushedWaiver = AcceptedWaiver | UnwritableWaiver;

/** A plugin: the manifest and functions for one booking system's API. */
export interface BookingSystemPlugin<Settings = unknown, Account extends InstalledAccount = InstalledAccount>
  extends BookingSystemManifest,
    InboundFunctions<Settings, Account> {
  /** Settings shared by all installations of the booking system. Describe each field: forms are generated from it. */
  readonly settingsSchema: z.ZodType<Settings>;
  /** Account fields required at install. Describe each field: forms are generated from it. */
  readonly accountSchema: z.ZodType<Account>;
  /** The vendor's public address, used unless `baseUrl` is set; `undefined` if the operator must set one. */
  url?(access: BookingSystemAccess<Settings, Account>): string | undefined;
  /**
   * The headers of every request of an installation. They depend on nothing else, and are computed once. Default: for a
   * system that follows the contract without `authenticate` or `session`, the API key in the declared header; otherwise
   * none.
   */
  headers(access: BookingSystemAccess<Settings, Account>): Readonly<Record<string, string>>;
  /**
   * Authenticates one request, in addition to `headers`: for a signature over the request, or a token. Called for
   * every request that is sent, repeated ones included. Omit if `headers` is enough.
   */
  authenticate?(
    request: RequestToAuthenticate<Settings, Account>,
  ): RequestAuthentication | Promise<RequestAuthentication>;
  /**
   * For a booking system that issues tokens. The host stores the session and renews it shortly before it expires. It
   * also renews it if a request is refused with 401 or judged as `bad-key`, and repeats that request once.
   */
  readonly session?: BookingSystemSession<Settings, Account>;
  /**
   * Classifies a response whose status is misleading. `defineBookingSystem` calls it for every response, to a read or a
   * write, before the plugin's other functions see it. If it returns a meaning, the request rejects with the error for
   * it; `undefined` leaves the response to those functions.
   */
  judgeAnswer?(answer: BookingSystemResponse): AnswerMeaning | undefined;
  /** Reads one booking (contract 4.1). Rejects with a `BookingSystemError`. */
  fetchBooking(context: BookingSystemContext<Settings, Account>, bookingId: string): Promise<FetchedBooking>;
  /**
   * Writes one waiver (contract 4.2). Rejects with a `BookingSystemError`. `document` is given only if
   * `capabilities.takes` has `files` and an operator allows the installation to be sent signed documents. Omit if
   * `capabilities.guestUpdate` is false.
   */
  pushWaiver?(
    context: BookingSystemContext<Settings, Account>,
    waiver: Waiver,
    document?: SignedDocument,
  ): Promise<PushedWaiver>;
  /**
   * Lists the bookings with a session in a given time, a page at a time. Rejects with a `BookingSystemError`. Omit
   * unless `capabilities.lists` is true.
   */
  listBookings?(
    context: BookingSystemContext<Settings, Account>,
    request: BookingListRequest,
  ): Promise<ListedBookings>;
  /**
   * Returns which bookings have changed since the last call. Rejects with a `BookingSystemError`. Omit unless
   * `capabilities.changes` is declared.
   */
  changesSince?(
    context: BookingSystemContext<Settings, Account>,
    request: BookingChangesRequest,
  ): Promise<BookingChanges>;
  /**
   * Checks that the account works, without reading a booking. Rejects with a `BookingSystemError` if it does not. Omit
   * unless `capabilities.checksAccess` is true.
   */
  checkAccess?(context: BookingSystemContext<Settings, Account>): Promise<CheckedAccess>;
  /** Registers the vendor's webhooks. Omit if they can only be set up by hand. */
  readonly webhooks?: BookingSystemWebhooks<Settings, Account>;
}

/** The address that the vendor should call. It contains a key by which webhooks of this installation are recognized. */
export interface WebhooksToRegister {
  /** The address to call from now on. */
  readonly url: string;
  /**
   * Earlier addresses of this installation, for example under a previous `BASE_URL`: no webhook may still point there.
   */
  readonly formerUrls: readonly string[];
}

/** The addresses at which an installation's webhooks may still be registered. */
export interface WebhooksToUnregister {
  /** Every address ever passed to `register` and not removed since. */
  readonly urls: readonly string[];
}

/**
 * Registers and removes webhooks at the vendor. The host calls these functions at install, after `BASE_URL`, the
 * settings or the vendor's address changed, once a day, and at uninstall; it repeats calls that failed or whose result
 * could not be recorded. They read the vendor's list first, leave other parties' webhooks alone, and change nothing
 * that is already right.
 */
export interface BookingSystemWebhooks<Settings = unknown, Account = unknown> {
  /** Whether an installation's webhooks are registered at all. Default: yes. */
  isUsed?(access: Omit<BookingSystemAccess<Settings, Account>, 'purpose'>): boolean;
  /** Afterwards the vendor calls `url` once about each changed booking, and none of `formerUrls`. */
  register(context: BookingSystemContext<Settings, Account>, webhooks: WebhooksToRegister): Promise<void>;
  /** Afterwards the vendor calls none of the addresses. Also resolves if there is nothing to remove. */
  unregister(context: BookingSystemContext<Settings, Account>, webhooks: WebhooksToUnregister): Promise<void>;
}
