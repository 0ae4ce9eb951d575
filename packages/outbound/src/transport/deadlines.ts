/** Something that ends at a time, by `performance.now()`. */
export interface Expiring {
  readonly deadlineAt: number;
  /** Where it stands in its {@link Deadlines}; -1 in none. Only they set it. */
  place: number;
  expire(): void;
}

/**
 * Ends what is over its time, by one timer for all of it. Nearly every call ends long before its deadline: a timer for
 * each would be made and cleared for nothing.
 */
export class Deadlines {
  // Not a Set: the tables that it outgrows keep what has long been deleted until a major garbage collection.
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
    // A pending call keeps the process alive by its connection; the timer must not.
    this.#timer.unref();
  }

  #sweep(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const now = performance.now();
    let next = Number.POSITIVE_INFINITY;
    // A copy, since what expires is deleted.
    for (const one of [...this.#pending]) {
      if (one.deadlineAt <= now) one.expire();
      else next = Math.min(next, one.deadlineAt);
    }
    if (next < this.#firesAt) this.#fireAt(next);
  }
}
