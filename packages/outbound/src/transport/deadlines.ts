/** An entry that expires at a time, by `performance.now()`. */
export interface Expiring {
  readonly deadlineAt: number;
  /** Its position in a {@link Deadlines}, or -1. Set only by {@link Deadlines}. */
  place: number;
  expire(): void;
}

/**
 * Expires entries with a single timer. Nearly every call ends long before its deadline, so a timer for each would be
 * created and cleared for nothing.
 */
export class Deadlines {
  // Not a Set: the internal tables that a growing Set discards keep deleted elements alive until a major garbage
  // collection.
  readonly #pending: Expiring[] = [];
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;

  add(one: Expiring): void {
    one.place = this.#pending.push(one) - 1;
    if (one.deadlineAt < this.#firesAt) this.#fireAt(one.deadlineAt);
  }

  delete(one: Expiring): void {
    if (one.place === -1) return;
    const last = this.#pending.pop();
    if (last !== undefined && last !== one) {
      this.#pending[one.place] = last;
      last.place = one.place;
    }
    one.place = -1;
  }

  #fireAt(time: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = time;
    this.#timer = setTimeout(() => this.#sweep(), Math.max(0, Math.ceil(time - performance.now())));
    // A pending call keeps the process alive through its connection; the timer must not.
    this.#timer.unref();
  }

  #sweep(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    // A copy, because expired entries are removed.
    for (const one of [...this.#pending]) {
      if (one.deadlineAt <= now) one.expire();
      else next = Math.min(next, one.deadlineAt);
    }
    if (next < this.#firesAt) this.#fireAt(next);
  }
}
