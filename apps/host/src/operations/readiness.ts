import type { HostApp } from '../http/host-app.ts';
import { shareResult } from './share-result.ts';

/** Whether work should be sent to this host. */
export interface Readiness {
  /** Why not, in a sentence; `undefined` where it should. */
  refusal(): Promise<string | undefined>;
  /** Whether the host is about to end. */
  readonly isDraining: boolean;
  /** From now on no work should be sent here: the host is about to end. */
  drain(): void;
}

// Probes ask every few seconds; whoever asks more often is told what was found a moment ago.
const cacheMs = 250;

/** @param isDatabaseReady - asked of the database once at a time */
export function createReadiness(isDatabaseReady: () => Promise<boolean>): Readiness {
  const sharedAnswer = shareResult(isDatabaseReady, cacheMs);
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    async refusal() {
      if (isDraining) return 'The host is about to end: send the work to another one.';
      if (await sharedAnswer()) return undefined;
      return 'The database cannot be reached, takes no writes, or its migrations are not done.';
    },
    drain() {
      isDraining = true;
    },
  };
}

/**
 * Answers with `connection: close` while the host drains: who keeps connections, a proxy say, would send its next
 * request on one at the moment when the host closes it.
 */
export function endConnectionsWhileDraining(app: HostApp, readiness: Readiness): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isDraining) reply.header('connection', 'close');
    done();
  });
}
