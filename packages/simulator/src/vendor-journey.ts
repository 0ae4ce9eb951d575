import type { Fault } from './faults/faults.ts';
import type { LimitedRequests, RequestWindow } from './http/recording-server.ts';

/** The common interface of the vendors’ simulators. */
export interface VendorSystem {
  readonly url: string;
  readonly received: readonly { readonly method: string; readonly route: string }[];
  readonly faults: { clear(): void };
  limitRequests(windows: readonly RequestWindow[]): LimitedRequests;
  close(): Promise<void>;
}

/** The places in the vendor's record for the waivers of two guests. */
export interface VendorRecord<System> {
  /** Two guests of the booking; undefined ids if the vendor has none. */
  readonly guestIds: readonly [string | undefined, string | undefined];
  /** Makes the vendor {@link slow} to accept writes. */
  slowDown(system: System): void;
  /** Every line of text by staff or waivers, in the order of the record. */
  lines(system: System): readonly string[];
  /** The lines that staff wrote before anyone signed. */
  readonly staffWrote: readonly string[];
  /** The rest of the record, which no waiver may change. */
  rest(system: System): unknown;
  /** The first guest's name, if shared names have a field. */
  name?(system: System): unknown;
  /** Lines are never removed: updates and voids add others. */
  readonly onlyAdds?: boolean;
}

type Properties = Readonly<Record<string, unknown>>;

/** The response to a read: `prefill` and `booker` in full, the rest only where compared. */
export interface ExpectedRead {
  readonly booking: Properties;
  readonly guests: readonly {
    readonly bookingGuestId?: string;
    readonly prefill: Properties;
    readonly signed?: boolean;
  }[];
  /** The contact, if the booking has no guests. */
  readonly booker?: Properties;
}

/** One vendor, as seen by an operator and a waiver app. */
export interface VendorJourney<System extends VendorSystem> {
  readonly installName: string;
  start(): Promise<System>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly account: Readonly<Record<string, unknown>>;
  readonly bookingId: string;
  /** The expected part of the response to a read. */
  readonly read: ExpectedRead;
  /** The codes of its warnings. */
  readonly warnings: readonly string[];
  /** Moves the booking's first session, in the vendor's system, to {@link movedTo}. */
  move(system: System): void;
  /** Makes the vendor's call about the booking. Returns the response's status. Absent if there is none. */
  announce?(system: System, webhookUrl: string): Promise<number>;
  /** Makes that call as an impostor. Default: to a URL with a wrong key. */
  announceForged?(system: System, webhookUrl: string): Promise<number>;
  /** The URLs registered for webhooks with the vendor; absent if they cannot be registered there. */
  webhookUrls?(system: System): readonly string[];
  /** Absent if the vendor accepts no waivers. */
  readonly record?: VendorRecord<System>;
}

/** So slow that a second write would start reading before the first one is done. */
export const slow: Fault = { kind: 'latency', milliseconds: 200 };

/** The start of a moved session. */
export const movedTo = '2027-06-13T07:00:00Z';
