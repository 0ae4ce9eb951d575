import type { Fault } from './faults/fault.ts';
import type { LimitedRequests } from './http/recording-server.ts';
import type { RequestWindow } from './http/request-windows.ts';

/** The common interface of the vendors’ simulators. */
export interface VendorSystem {
  readonly url: string;
  readonly received: readonly { readonly method: string; readonly route: string }[];
  readonly faults: { clear(): void };
  limitRequests(windows: readonly RequestWindow[]): LimitedRequests;
  close(): Promise<void>;
}

/** Where the waivers of two guests stand in the vendor's record. */
export interface VendorRecord<System> {
  /** Two guests of the booking; no ids where the vendor has none. */
  readonly guestIds: readonly [string | undefined, string | undefined];
  /** Makes the vendor {@link slow} in taking what is written. */
  slowDown(system: System): void;
  /** Every line of text that staff or waivers left, in the order of the record. */
  lines(system: System): readonly string[];
  /** Of those, what staff wrote before anyone signed. */
  readonly staffWrote: readonly string[];
  /** All else of the record that no waiver may change. */
  rest(system: System): unknown;
  /** The first guest's name, where a shared name has its own field. */
  name?(system: System): unknown;
  /** A line is never taken away: updates and voids add others. */
  readonly onlyAdds?: boolean;
}

type Properties = Readonly<Record<string, unknown>>;

/** The response to a read: `prefill` and `booker` in full, the rest as far as it is compared. */
export interface ExpectedRead {
  readonly booking: Properties;
  readonly guests: readonly {
    readonly bookingGuestId?: string;
    readonly prefill: Properties;
    readonly signed?: boolean;
  }[];
  /** The contact, where the booking has no guests. */
  readonly booker?: Properties;
}

/** One vendor, as an operator and a waiver app meet it. */
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
  /** Moves the booking's first session to {@link movedTo} at the vendor's. */
  move(system: System): void;
  /** Makes the vendor's own call about it. Returns the status of the answer. Absent: the vendor makes none. */
  announce?(system: System, webhookUrl: string): Promise<number>;
  /** Makes that call as somebody who is not the vendor. Default: to an address with a wrong key. */
  announceForged?(system: System, webhookUrl: string): Promise<number>;
  /** The addresses that webhooks are registered for at the vendor; absent if they cannot be registered there. */
  webhookUrls?(system: System): readonly string[];
  /** Absent: the vendor takes no waivers. */
  readonly record?: VendorRecord<System>;
}

/** So slow that a second write would be read for before the first one is done. */
export const slow: Fault = { kind: 'latency', milliseconds: 200 };

/** When a moved session starts. */
export const movedTo = '2027-06-13T07:00:00Z';
