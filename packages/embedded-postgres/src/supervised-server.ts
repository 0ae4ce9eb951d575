import { setTimeout as wait } from 'node:timers/promises';
import { type RunningServer, type ServerOptions, startServer } from './server.ts';

/** Who is told how the server fares. */
export interface ServerWatcher {
  /** Told, in a sentence, when it ended unexpectedly and when it runs again. */
  readonly onMessage: (message: string) => void;
  /** Told when it ended unexpectedly and does not run again. */
  readonly onLost: (error: Error) => void;
}

// A server that is killed leaves processes behind which still end; until then a new one refuses the same data.
const leftoversWithinMs = 60_000;
const leftovers = /pre-existing shared memory block|lock file ".*" already exists/;
const retryMs = 200;

// What ends so often does not get better by another start.
const maxRestarts = 3;
const restartWindowMs = 60_000;

/**
 * Starts the server, and starts it again where it ends without having been told to: killed by a person or for want of
 * memory, say. Its address stays the same.
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
      // Asked to stop while it was starting.
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
