import type {
  AccountId,
  AuthorizationCallback,
  Booking,
  BookingSystemErrorCode,
  InboundNotice,
  InstalledAccount,
  RejectionRetry,
  Waiver,
  WarningCode,
} from '@waiver-service/core';

/** A request that the plugin is expected to make to the vendor's API. */
export interface NativeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `{bookingId}` stands for the percent-encoded booking id. */
  readonly path: string;
  /** The complete query, not encoded; `{bookingId}` may be part of a value. Default: no query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Required headers, in addition to those that authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body; not checked if absent. */
  readonly body?: unknown;
}

/** The vendor's response. */
export interface NativeAnswer {
  /** Default: 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

/** An expected request and its response. */
export interface NativeExchange {
  readonly request: NativeRequest;
  readonly answer: NativeAnswer;
}

/** A request that a simulated vendor received, and its answer. */
export interface SimulatedRequest {
  readonly method: string;
  /** Path and query as sent, not decoded. */
  readonly path: string;
  readonly answer?: { readonly status: number; readonly body: unknown };
  /** What was answered instead, because the scenario has the vendor fail. A text is sent unchanged. */
  readonly faultAnswer?: NativeAnswer & { readonly status: number };
}

/**
 * The vendor's double: an HTTP server that answers as the vendor does, and refuses what the vendor would refuse. Its
 * servers in `@waiver-service/simulator` have all of this but `state`.
 */
export interface SimulatedVendor {
  /** The base address. */
  readonly url: string;
  /** Every request so far, oldest first; always the same array. */
  readonly received: readonly SimulatedRequest[];
  /** What the vendor stores, as far as a scenario is about it. */
  state(): unknown;
  close(): Promise<void>;
}

/** An account as the booking system knows it. */
export interface KnownAccess {
  readonly account: InstalledAccount & Readonly<Record<string, unknown>>;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The access token that the booking system issued last, if it issues any. */
  readonly accessToken?: string | undefined;
  /** The refresh token issued with it. */
  readonly refreshToken?: string | undefined;
  /** The parameters of the operator’s browser redirect, for a plugin whose sessions begin with an authorization code. */
  readonly visit?: AuthorizationCallback | undefined;
}

/** Starts the vendor as a scenario finds it, for the account and settings of the suite. */
export type StartVendor = (access: KnownAccess) => Promise<SimulatedVendor>;

/** A body that the vendor sends, and the booking that it represents. */
export interface NativeBody {
  readonly name: string;
  /** Default: `NativeScenarios.bookingId`. */
  readonly bookingId?: string;
  readonly body: unknown;
  /** Exchanges after the first request, for example if the booking was replaced by another. */
  readonly further?: readonly NativeExchange[];
  readonly expected: {
    readonly booking: Booking;
    /** The code of each warning, in any order. Default: none. */
    readonly warnings?: readonly WarningCode[];
  };
}

/** A vendor's error response, and the error that it means. */
export interface NativeRefusal {
  readonly name: string;
  readonly answer: NativeAnswer;
  readonly code: BookingSystemErrorCode;
}

/** A waiver, and every exchange with the vendor needed to write it. */
export interface NativeGuestUpdate {
  readonly name: string;
  /** Changes to the suite's own waiver. */
  readonly waiver?: Partial<Waiver>;
  /** Empty if the plugin knows without a request that nothing can be written. */
  readonly exchanges: readonly NativeExchange[];
  /**
   * Accepted, with these warnings; not written, with a matching reason; rejected with this error; or rejected because
   * the booking's own id differs.
   */
  readonly expected:
    | { readonly warnings: readonly WarningCode[] }
    | { readonly notWritten: RegExp }
    | {
        readonly code: Exclude<BookingSystemErrorCode, 'booking_has_other_id'>;
        readonly retry?: RejectionRetry;
      }
    | { readonly code: 'booking_has_other_id'; readonly ownId: string };
}

/** A waiver, and what a simulated vendor stores before and after it is written. */
export interface SimulatedGuestUpdate extends Omit<NativeGuestUpdate, 'exchanges'> {
  readonly vendor: StartVendor;
  /** The vendor's state afterwards. If absent, it is as before, and no request but a GET may be made. */
  readonly after?: unknown;
}

/** A vendor's call, without its authentication. */
export interface NativeCall {
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** A string is sent unchanged, anything else as JSON. */
  readonly body: unknown;
}

/** A vendor's call about changed bookings, and the notice that the plugin is expected to return. */
export interface NativeInbound extends InboundNotice {
  readonly name: string;
  readonly call: NativeCall;
  /** The account that the call is about, if any; required then if `capabilities.inboundAddress` is `shared`. */
  readonly accountId?: AccountId;
}

/** A booking in a list: read, unreadable, or only named. */
export interface NativeListed {
  readonly bookingId: string;
  readonly booking?: Booking;
  readonly isUnreadable?: true;
}

/** A list, page by page: each page is requested with the cursor of the previous one. */
export interface NativeList {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  /** Default: 100. */
  readonly limit?: number;
  readonly pages: readonly [NativeListPage, ...NativeListPage[]];
}

/** A page, and every exchange with the vendor needed to read it. */
export interface NativeListPage {
  readonly exchanges: readonly [NativeExchange, ...NativeExchange[]];
  readonly bookings: readonly NativeListed[];
}

/** A list of what a simulated vendor has, read to its end. */
export interface SimulatedList extends Omit<NativeList, 'pages'> {
  readonly vendor: StartVendor;
  /** In the order of the pages. */
  readonly bookings: readonly NativeListed[];
}

/** A call for changes, with the cursor of the previous one; the first has none. */
export interface NativeChanges {
  /** The time of the call. */
  readonly now: string;
  readonly exchanges: readonly NativeExchange[];
  readonly bookingIds: readonly string[];
  readonly hasMore: boolean;
}

/** Calls for changes to a simulated vendor, whose bookings have changed at fixed times. */
export interface SimulatedChanges {
  readonly vendor: StartVendor;
  readonly steps: readonly [ChangesStep, ChangesStep, ...ChangesStep[]];
}

/** A call for changes, without its exchanges. */
export type ChangesStep = Omit<NativeChanges, 'exchanges'>;

/** The URL for which the suite has webhooks registered. */
export const webhookUrl = 'https://waivers.example/integration/webhook/test?key=wsp_suite';
/** The URL for which they were registered before. */
export const formerWebhookUrl = 'https://former.example/integration/webhook/test?key=wsp_suite';

/** How webhooks are registered at the vendor, as exchanges. The vendor's lists should include others' webhooks. */
export interface NativeWebhooks {
  /** For {@link webhookUrl}, when nothing of the installation is registered. */
  readonly register: readonly NativeExchange[];
  /** Again, because the record of the first time was lost: only reads. */
  readonly registerAgain: readonly NativeExchange[];
  /** For {@link webhookUrl}, when {@link formerWebhookUrl} is registered. */
  readonly move: readonly NativeExchange[];
  /** For both URLs, of which {@link webhookUrl} is registered. */
  readonly unregister: readonly NativeExchange[];
  /** Again, when neither is registered: only reads. */
  readonly unregisterAgain: readonly NativeExchange[];
}

/**
 * Webhooks registered at a simulated vendor, whose state is the list of all of them; others' should be among them at
 * first. The suite registers ours, finds them again, moves and removes them.
 */
export interface SimulatedWebhooks {
  readonly vendor: StartVendor;
  /** Those of an installation at a URL, as they are in the list. */
  registered(url: string): readonly unknown[];
}

/** A vendor's own API, described as exchanges. */
export interface ExchangeScenarios {
  /** The id of the booking in the first of `bodies`. */
  readonly bookingId: string;
  /** The first request of a read. */
  readonly readRequest: NativeRequest;
  readonly bodies: readonly [NativeBody, ...NativeBody[]];
  /** The response for an unknown booking. */
  readonly notFound: NativeAnswer;
  readonly refusals?: readonly NativeRefusal[];
  /** The response to a wrong key, if its status does not identify it. */
  readonly keyRefused?: NativeAnswer;
  /**
   * Required if `capabilities.guestUpdate` is true and `takes` lacks `waiver`. The first one must be accepted. With
   * `capabilities.aliases` and `writeUnit: 'booking'`, one must be rejected as `booking_has_other_id`.
   */
  readonly guestUpdates?: readonly [NativeGuestUpdate, ...NativeGuestUpdate[]];
  /** Required if `capabilities.inbound` is `native`. */
  readonly inbound?: readonly [NativeInbound, ...NativeInbound[]];
  /** Required if `capabilities.lists` is true. */
  readonly lists?: readonly [NativeList, ...NativeList[]];
  /** Required if `capabilities.changes` is declared. The first one has no cursor yet. */
  readonly changes?: readonly [NativeChanges, NativeChanges, ...NativeChanges[]];
  /** Every exchange needed to check the account. Required if `capabilities.checksAccess` is true. */
  readonly access?: readonly [NativeExchange, ...NativeExchange[]];
  /** Required if the plugin has `webhooks`. */
  readonly webhooks?: NativeWebhooks;
}

/** The scenarios that can be told as exchanges or by a simulated vendor. */
type Simulable = 'guestUpdates' | 'lists' | 'changes' | 'access' | 'webhooks';

/** A vendor's own API, described as data; its double may stand in for exchanges. */
export interface NativeScenarios extends Omit<ExchangeScenarios, Simulable> {
  /** See {@link ExchangeScenarios.guestUpdates}. */
  readonly guestUpdates?: readonly [
    NativeGuestUpdate | SimulatedGuestUpdate,
    ...(NativeGuestUpdate | SimulatedGuestUpdate)[],
  ];
  /** See {@link ExchangeScenarios.lists}. */
  readonly lists?: readonly [NativeList | SimulatedList, ...(NativeList | SimulatedList)[]];
  /** See {@link ExchangeScenarios.changes}. */
  readonly changes?: ExchangeScenarios['changes'] | SimulatedChanges;
  /** See {@link ExchangeScenarios.access}. */
  readonly access?: ExchangeScenarios['access'] | StartVendor;
  /** See {@link ExchangeScenarios.webhooks}. */
  readonly webhooks?: NativeWebhooks | SimulatedWebhooks;
}

/** A plugin's scenarios as exchanges, and what a simulated vendor found wrong. */
export interface PlayedScenarios {
  readonly native: ExchangeScenarios | undefined;
  readonly failures: readonly unknown[];
}
