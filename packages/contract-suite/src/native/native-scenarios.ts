import type {
  AccountId,
  Booking,
  BookingSystemErrorCode,
  InboundNotice,
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
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** An expected request and its response. */
export interface NativeExchange {
  readonly request: NativeRequest;
  readonly answer: NativeAnswer;
}

/** A body that the vendor sends, and the booking that it represents. */
export interface NativeBody {
  readonly name: string;
  /** Default: `NativeScenarios.bookingId`. */
  readonly bookingId?: string;
  readonly body: unknown;
  /** Exchanges that follow the first request, for example if the booking was replaced by another. */
  readonly further?: readonly NativeExchange[];
  readonly expected: {
    readonly booking: Booking;
    /** The code of each warning, in any order. Default: none. */
    readonly warnings?: readonly WarningCode[];
  };
}

/** An error response of the vendor, and the error that it means. */
export interface NativeRefusal {
  readonly name: string;
  readonly answer: NativeAnswer;
  readonly code: BookingSystemErrorCode;
}

/** A waiver, and every exchange with the vendor that writing it takes. */
export interface NativeGuestUpdate {
  readonly name: string;
  /** Changes to the suite's own waiver. */
  readonly waiver?: Partial<Waiver>;
  /** Empty if the plugin needs no request to know that nothing can be written. */
  readonly exchanges: readonly NativeExchange[];
  /**
   * Accepted, with these warnings; not written, with a matching reason; rejected with this error; or rejected because
   * the booking has another id.
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

/** A call as the vendor makes it, without what authenticates it. */
export interface NativeCall {
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a text. */
  readonly body: unknown;
}

/** A call that the vendor makes when bookings change, and what the plugin is expected to make of it. */
export interface NativeInbound extends InboundNotice {
  readonly name: string;
  readonly call: NativeCall;
  /** The account that it is about; required if `capabilities.inboundAddress` is `shared` and it is about one. */
  readonly accountId?: AccountId;
}

/** A booking as a list has it: read, unreadable, or named only. */
export interface NativeListed {
  readonly bookingId: string;
  readonly booking?: Booking;
  readonly isUnreadable?: true;
}

/** A list, page by page: each is asked for with the cursor of the one before. */
export interface NativeList {
  readonly name: string;
  readonly from: string;
  readonly until: string;
  /** Default: 100. */
  readonly limit?: number;
  readonly pages: readonly [NativeListPage, ...NativeListPage[]];
}

/** A page, and every exchange with the vendor that it takes. */
export interface NativeListPage {
  readonly exchanges: readonly [NativeExchange, ...NativeExchange[]];
  readonly bookings: readonly NativeListed[];
}

/** A call for changes, with the cursor of the one before; the first one has none. */
export interface NativeChanges {
  /** The time of the call. */
  readonly now: string;
  readonly exchanges: readonly NativeExchange[];
  readonly bookingIds: readonly string[];
  readonly hasMore: boolean;
}

/** The address for which the suite has webhooks registered. */
export const webhookUrl = 'https://waivers.example/integration/webhook/test?key=wsp_suite';
/** The address for which they were registered before. */
export const formerWebhookUrl = 'https://former.example/integration/webhook/test?key=wsp_suite';

/** How webhooks are registered at the vendor: the requests, with the vendor's answers. Its lists should have foreign ones. */
export interface NativeWebhooks {
  /** For {@link webhookUrl}, where nothing of the installation is registered. */
  readonly register: readonly NativeExchange[];
  /** Again, because the record of it was lost: only reads. */
  readonly registerAgain: readonly NativeExchange[];
  /** For {@link webhookUrl}, where {@link formerWebhookUrl} is registered. */
  readonly move: readonly NativeExchange[];
  /** Removes both addresses, of which {@link webhookUrl} is registered. */
  readonly unregister: readonly NativeExchange[];
  /** Again, where neither is registered: only reads. */
  readonly unregisterAgain: readonly NativeExchange[];
}

/** A description, as data, of a vendor's API that differs from the contract. */
export interface NativeScenarios {
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
  /** Every exchange that checking the account takes. Required if `capabilities.checksAccess` is true. */
  readonly access?: readonly [NativeExchange, ...NativeExchange[]];
  /** Required if the plugin has `webhooks`. */
  readonly webhooks?: NativeWebhooks;
}
