import type { Fault } from './fault.ts';

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
