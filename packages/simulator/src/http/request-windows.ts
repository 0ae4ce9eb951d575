/** At most this many requests in any period of this length. */
export interface RequestWindow {
  readonly requests: number;
  readonly windowMs: number;
}

/** Counts requests like a vendor with a rate limit. */
export class RequestWindows {
  readonly #windows: readonly RequestWindow[];
  #acceptedAt: number[] = [];

  constructor(windows: readonly RequestWindow[]) {
    this.#windows = windows;
  }

  /**
   * Counts a request, unless a window is full.
   * @returns milliseconds until a request can be accepted; 0 if this one was
   */
  take(now: number): number {
    const maxWindowMs = Math.max(0, ...this.#windows.map(({ windowMs }) => windowMs));
    this.#acceptedAt = this.#acceptedAt.filter((at) => at > now - maxWindowMs);
    const waitsMs = this.#windows.map(({ requests, windowMs }) => {
      const inWindow = this.#acceptedAt.filter((at) => at > now - windowMs);
      const first = inWindow[inWindow.length - requests];
      return first === undefined ? 0 : first + windowMs - now;
    });
    const waitMs = Math.max(0, ...waitsMs);
    if (waitMs === 0) this.#acceptedAt.push(now);
    return waitMs;
  }
}
