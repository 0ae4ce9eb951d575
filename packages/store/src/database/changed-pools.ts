import { z } from 'zod';
import type { Notifications } from './notifications.ts';

/** Announces changed pools to every host, so that open consoles refresh. */
export interface ChangedPools {
  /** Call it after committing a change in these pools; without pools if any may have changed. Never throws. */
  add(pools?: Iterable<string>): void;
  /**
   * Calls back with pools that changed on any host; `undefined`: any may have.
   *
   * @returns a function to unsubscribe
   */
  watch(listener: (pools: readonly string[] | undefined) => void): () => void;
}

const payloadSchema = z.array(z.string());

// Changes in quick succession share a notification.
const gatherMs = 200;
// PostgreSQL takes less than 8,000 bytes in a notification.
const maxPayloadBytes = 7_500;

/**
 * Creates the {@link ChangedPools} of this process. A killed process may not announce its last changes, so the console
 * also refreshes periodically.
 */
export function createChangedPools(notifications: Notifications): ChangedPools {
  const changed = new Set<string>();
  let isAny = false;
  let timer: NodeJS.Timeout | undefined;

  function send(): void {
    timer = undefined;
    const payload = JSON.stringify([...changed]);
    notifications.send('changed_pools', isAny || Buffer.byteLength(payload) > maxPayloadBytes ? '' : payload);
    changed.clear();
    isAny = false;
  }

  return {
    add(pools) {
      if (pools === undefined) isAny = true;
      for (const pool of pools ?? []) changed.add(pool);
      if (timer === undefined && (isAny || changed.size > 0)) timer = setTimeout(send, gatherMs).unref();
    },
    watch: (listener) =>
      notifications.listen('changed_pools', (payload) =>
        listener(payload ? payloadSchema.parse(JSON.parse(payload)) : undefined),
      ),
  };
}
