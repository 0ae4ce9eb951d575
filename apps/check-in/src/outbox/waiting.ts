/** Identifies a booking's guest whose signing waits on the tablet. */
export const guestKey = (
  { bookingSystem, bookingId }: { readonly bookingSystem: string; readonly bookingId: string },
  guest: string,
): string => `${bookingSystem} ${bookingId} ${guest}`;

/** The waiting signings, as every screen shows them. */
export interface Waiting {
  readonly count: number;
  /** How many of these the service refuses: staff must intervene. */
  readonly stuck: number;
  /** When the oldest was queued. */
  readonly since?: string | undefined;
  /** At a kiosk: the keys of their guests. */
  readonly guests: readonly string[];
  /** How many have been sent since the page was opened. */
  readonly sent: number;
  /** The links to the copies of those, by the ids of the signings. */
  readonly copies: Readonly<Record<string, string>>;
}

let current: Waiting = { count: 0, stuck: 0, sent: 0, copies: {}, guests: [] };
const listeners = new Set<() => void>();

/** Part of the main script, which shows it; the outbox, loaded later, updates it. */
export const waiting = {
  get: (): Waiting => current,
  set(change: Partial<Waiting>): void {
    current = { ...current, ...change };
    for (const listener of listeners) listener();
  },
  /** @returns a function that stops watching */
  watch(listener: () => void): () => void {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
};
