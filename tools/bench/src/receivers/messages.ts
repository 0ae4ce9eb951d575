/** To the receiver process: resets the count, and asks for `reached` after `total` messages. */
export interface Order {
  readonly total: number;
}

/** A message from the receiver process. */
export type Report =
  | { readonly kind: 'listening'; readonly ports: readonly number[] }
  | { readonly kind: 'reached' };

/** How many ports the receivers listen on: each is a separate origin, with its own connections. */
export const portCount = 100;
