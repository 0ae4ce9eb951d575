import { setTimeout as wait } from 'node:timers/promises';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

export interface ServerWatcher {
  /** Called with a sentence when the server exited unexpectedly, and when it is running again. */
  readonly onMessage: (message: string) => void;
  /** Called when the server exited unexpectedly and could not be restarted. */
  readonly onLost: (error: Error) => void;
}

// A killed server leaves child processes behind; until they exit, a new server refuses the data directory.
const leftoversWithinMs = 60_000;
const leftovers = /pre-existing shared memory block|lock file ".*" already exists/;
const retryMs = 200;

// A server that crashes this often will not be fixed by another restart.
const maxRestarts = 3;
const restartWindowMs = 60_000;

/**
 * Starts the server and restarts it at the same address when it exits unexpectedly, for example killed by the OOM
 * killer.
 */
export async function startSupervised(
  options: ServerOptions,
  { onMessage, onLost }: ServerWatcher,
): Promise<{ stop(): Promise<void> }> {
  let server = await startServer(options, 'new');
  let isStopping = false;
  let restartedAt: readonly number[] = [];

  async function startAgain(): Promise<RunningServer> {
    const now = performance.now();
    restartedAt = [...restartedAt.filter((at) => now - at < restartWindowMs), now];
    if (restartedAt.length > maxRestarts) {
      throw new Error(`it ended ${restartedAt.length} times within a minute; see ${options.logFile}`);
    }
    for (;;) {
      try {
        return await startServer(options, 'same');
      } catch (error) {
        const mayPass = error instanceof Error && leftovers.test(error.message);
        if (!mayPass || isStopping || performance.now() - now > leftoversWithinMs) throw error;
        await wait(retryMs);
      }
    }
  }

  async function supervise(): Promise<void> {
    for (;;) {
      await server.ended;
      if (isStopping) return;
      onMessage(`the embedded PostgreSQL ended unexpectedly: it is started again; see ${options.logFile}`);
      server = await startAgain();
      // `stop` was called while it was starting.
      if (isStopping) return server.stop();
      onMessage('the embedded PostgreSQL runs again');
    }
  }

  const supervising = supervise().catch((cause: unknown) => {
    if (isStopping) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    onLost(new Error(`the embedded PostgreSQL ended and cannot be started again: ${reason}`, { cause }));
  });
  return {
    async stop() {
      isStopping = true;
      await server.stop();
      await supervising;
    },
  };
}
