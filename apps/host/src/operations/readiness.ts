import type { Store } from '@waiver-service/store';
import type { HostApp } from '../http/host-app.ts';
import { shareResult } from './share-result.ts';

/** Whether this host should receive traffic. */
export interface Readiness {
  /** Why it should not, as a sentence; `undefined` if it should. */
  refusal(): Promise<string | undefined>;
  readonly isDraining: boolean;
  /** Makes the host not ready, because it is about to stop. */
  drain(): void;
  /** Calls back when the host begins to drain. */
  onDrain(listener: () => void): void;
}

// Probes ask every few seconds; more frequent requests get the previous result.
const cacheMs = 250;

/** Creates the {@link Readiness} of this host. Queries the database once at a time. */
export function createReadiness({ store }: { readonly store: Pick<Store, 'ready'> }): Readiness {
  const sharedAnswer = shareResult(() => store.ready(), cacheMs);
  const listeners: (() => void)[] = [];
  let isDraining = false;
  return {
    get isDraining() {
      return isDraining;
    },
    async refusal() {
      if (isDraining) return 'The host is about to end: send the work to another one.';
      const answer = await sharedAnswer();
      if (answer.isReady) return undefined;
      return (
        answer.reason ?? 'The database cannot be reached, takes no writes, or its migrations are not done.'
      );
    },
    drain() {
      isDraining = true;
      for (const listener of listeners) listener();
    },
    onDrain(listener) {
      listeners.push(listener);
    },
  };
}

/**
 * Sends `connection: close` while the host drains: otherwise a client that reuses connections, such as a proxy, could
 * send its next request at the moment when the host closes one.
 */
export function endConnectionsWhileDraining(app: HostApp, readiness: Readiness): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (readiness.isDraining) reply.header('connection', 'close');
    done();
  });
}
