/** Whether changes come by themselves, or what is shown is read again every few seconds. */
export type LiveState = 'connecting' | 'live' | 'reconnecting';

const listeners = new Set<() => void>();
let state: LiveState = 'connecting';

export const liveState = {
  get: (): LiveState => state,
  set(next: LiveState): void {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

const pollMs = 5_000;
// A host that is killed may leave a change unannounced.
const pollWhileLiveMs = 60_000;

/** How often what changes by itself, but is not announced, is read again. */
export const pollEveryMs = (): number => pollMs;

/** How often what is announced when it changes is read again. */
export const refreshEveryMs = (): number => (state === 'live' ? pollWhileLiveMs : pollMs);
