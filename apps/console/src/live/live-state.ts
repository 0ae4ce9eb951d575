/** `live`: changes are pushed. Otherwise they are polled every few seconds. */
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
// Still polled: a host that is killed may not announce its last change.
const pollWhileLiveMs = 60_000;

/** The polling interval for data whose changes are never announced. */
export const pollEveryMs = (): number => pollMs;

/** The polling interval for data whose changes are announced. */
export const refreshEveryMs = (): number => (state === 'live' ? pollWhileLiveMs : pollMs);
