/** Something that ends at a time, by `performance.now()`. */
export interface Expiring {
  readonly deadlineAt: number;
  expire(): void;
}

/**
 * Ends what is over its time, by one timer for all of it. Nearly every call ends long before its deadline: a timer for
 * each would be made and cleared for nothing.
 */
export class Deadlines {
  readonly #pending = new Set<Expiring>();
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;

  add(one: Expiring): void {
    this.#pending.add(one);
    if (one.deadlineAt < this.#firesAt) this.#fireAt(one.deadlineAt);
  }

  delete(one: Expiring): void {
    this.#pending.delete(one);
  }

  #fireAt(time: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = time;
    this.#timer = setTimeout(() => this.#sweep(), Math.max(0, Math.ceil(time - performance.now())));
    // A pending call keeps the process alive by its connection; the timer must not.
    this.#timer.unref();
  }

  #sweep(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    for (const one of this.#pending) {
      if (one.deadlineAt <= now) one.expire();
      else next = Math.min(next, one.deadlineAt);
    }
    if (next < this.#firesAt) this.#fireAt(next);
  }
}
