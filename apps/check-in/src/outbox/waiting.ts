/** The signings that wait on this device, as every screen shows them. */
export interface Waiting {
  readonly count: number;
  /** Of these, how many the service has refused to open: staff must see to them. */
  readonly stuck: number;
  /** Since when the oldest waits. */
  readonly since?: string | undefined;
  /** At a kiosk: whose they are. */
  readonly guests: readonly string[];
  /** How many were sent since the page was opened. */
  readonly sent: number;
}

let current: Waiting = { count: 0, stuck: 0, sent: 0, guests: [] };
const listeners = new Set<() => void>();

/** In the page's main script, which shows it; the outbox, which is loaded later, fills it. */
export const waiting = {
  get: (): Waiting => current,
  set(change: Partial<Waiting>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  },
  /** @returns ends it */
  watch(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
