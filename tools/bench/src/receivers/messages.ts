/** A message to the receiver process. */
export type Order =
  /** Resets the count, and reports `reached` after `total` messages. */
  | { readonly kind: 'expect'; readonly total: number; readonly record: boolean }
  /** Requests the arrivals since the last request, if `record` was set. */
  | { readonly kind: 'arrivals' };

/** A message from the receiver process. */
export type Report =
  | { readonly kind: 'listening'; readonly ports: readonly number[] }
  | { readonly kind: 'reached' }
  | { readonly kind: 'arrivals'; readonly arrivals: readonly Arrival[] };

/** A message, and when its first byte arrived. */
export interface Arrival {
  /** The waiver's id. */
  readonly id: string;
  readonly updatedAt: string;
  /** Milliseconds on the machine's steady clock, which all processes share. */
  readonly at: number;
}

/** How many ports the receivers listen on: each is a separate origin, with its own connections. */
export const portCount = 100;

/** Milliseconds on the steady clock that all processes of a machine share. */
export const steadyNow = (): number => Number(process.hrtime.bigint()) / 1e6;
