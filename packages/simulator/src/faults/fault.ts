/** A deviation from the normal response. Unless stated otherwise, the request takes effect. */
export type Fault =
  /** Waits, then responds normally or with another fault. */
  | { readonly kind: 'latency'; readonly milliseconds: number; readonly followedBy?: Fault }
  /** Responds with another status; the request does not take effect. */
  | {
      readonly kind: 'status';
      readonly status: number;
      /** The `Retry-After` header: seconds or an HTTP date. */
      readonly retryAfter?: number | string;
      /** A text is sent as it is, anything else as JSON. */
      readonly body?: unknown;
    }
  /**
   * Resets the connection: before any response (the request does not take effect), after the response's headers, or after
   * the complete response.
   */
  | { readonly kind: 'reset'; readonly when: 'before-answer' | 'after-headers' | 'after-answer' }
  /** Never responds; the request does not take effect. */
  | { readonly kind: 'hang' }
  /** The normal response, a few bytes at a time. */
  | { readonly kind: 'slow-body'; readonly bytesPerSecond: number }
  /** An HTML page instead of JSON; the request does not take effect. */
  | { readonly kind: 'html'; readonly status?: number }
  /** A redirect; the request does not take effect. */
  | { readonly kind: 'redirect'; readonly location: string; readonly status?: number }
  /** Status 200 with `{"success":false}`; the request does not take effect. */
  | { readonly kind: 'refusal'; readonly message?: string };

/** The planned faults of each route, played in the order of planning. */
export class FaultPlan<Route extends string> {
  readonly #planned = new Map<Route, { readonly fault: Fault; left: number }[]>();

  /** Plays a fault for the next requests of a route, after those already planned. */
  next(route: Route, fault: Fault, times = 1): void {
    const planned = this.#planned.get(route) ?? [];
    planned.push({ fault, left: times });
    this.#planned.set(route, planned);
  }

  /** Plays a fault for every request of a route until cleared. */
  always(route: Route, fault: Fault): void {
    this.next(route, fault, Number.POSITIVE_INFINITY);
  }

  /** Removes the planned faults of a route, or of all routes. */
  clear(route?: Route): void {
    if (route === undefined) this.#planned.clear();
    else this.#planned.delete(route);
  }

  /** Takes the fault for the next request; `undefined` for a normal response. */
  take(route: Route): Fault | undefined {
    const planned = this.#planned.get(route) ?? [];
    const first = planned[0];
    if (!first) return undefined;
    first.left -= 1;
    if (first.left <= 0) planned.shift();
    return first.fault;
  }
}
