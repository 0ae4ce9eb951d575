import type {
  Booking,
  BookingSystemErrorCode,
  InboundCall,
  RejectionRetry,
  Waiver,
  WarningCode,
} from '@waiver-service/core';

/** What a vendor's API is asked. */
export interface NativeRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Under the base address; `{bookingId}` stands for the booking id, percent-encoded. */
  readonly path: string;
  /** The whole query, names and values not encoded; `{bookingId}` may stand in a value. No query where absent. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that must be there, besides those that authenticate. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The JSON body; not looked at where absent. */
  readonly body?: unknown;
}

/** What a vendor's API answers. */
export interface NativeAnswer {
  /** 200 where absent. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A question and its answer. */
export interface NativeExchange {
  readonly request: NativeRequest;
  readonly answer: NativeAnswer;
}

/** A body that the vendor sends, and the booking that it is. */
export interface NativeBody {
  readonly name: string;
  /** `NativeScenarios.bookingId` where absent. */
  readonly bookingId?: string;
  readonly body: unknown;
  /** What is asked and answered after the first request, such as a booking that was replaced by another. */
  readonly further?: readonly NativeExchange[];
  readonly expected: {
    readonly booking: Booking;
    /** The code of each warning, in any order; none where absent. */
    readonly warnings?: readonly WarningCode[];
  };
}

/** A body that the vendor sends where there is no booking to be had. */
export interface NativeRefusal {
  readonly name: string;
  readonly answer: NativeAnswer;
  readonly code: BookingSystemErrorCode;
}

/** One waiver, and everything that is asked of the vendor to write it. */
export interface NativeGuestUpdate {
  readonly name: string;
  /** Fields that differ from the suite's own waiver. */
  readonly waiver?: Partial<Waiver>;
  /** None where the plugin knows without asking that nothing can be written. */
  readonly exchanges: readonly NativeExchange[];
  /** Taken, with these warnings; not written at all, for a reason that says so; or refused with this error. */
  readonly expected:
    | { readonly warnings: readonly WarningCode[] }
    | { readonly notWritten: RegExp }
    | { readonly code: BookingSystemErrorCode; readonly retry?: RejectionRetry };
}

/** A call that the vendor makes when a booking changes. */
export interface NativeInbound {
  readonly name: string;
  readonly call: InboundCall;
  readonly bookingIds: readonly string[];
}

/** What the suite cannot know of an API that is not the contract's, as data. */
export interface NativeScenarios {
  /** The booking id that the first of `bodies` answers to. */
  readonly bookingId: string;
  /** How a booking is asked for. */
  readonly readRequest: NativeRequest;
  readonly bodies: readonly [NativeBody, ...NativeBody[]];
  /** The vendor's own words for "no such booking". */
  readonly notFound: NativeAnswer;
  readonly refusals?: readonly NativeRefusal[];
  /** The vendor's own words for a key that it does not accept, where its status means something else without them. */
  readonly keyRefused?: NativeAnswer;
  /** Needed where `capabilities.guestUpdate` is true and `takes` lacks `waiver`. The first one must be taken. */
  readonly guestUpdates?: readonly [NativeGuestUpdate, ...NativeGuestUpdate[]];
  /** Needed where `capabilities.inbound` is `native`. */
  readonly inbound?: readonly [NativeInbound, ...NativeInbound[]];
}
