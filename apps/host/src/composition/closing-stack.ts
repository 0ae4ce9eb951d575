import type { FastifyBaseLogger } from 'fastify';

/** What has been opened, to be closed in the reverse order. */
export interface ClosingStack {
  add(name: string, close: () => Promise<void>): void;
  /** Closes all; one that fails is logged and keeps no other from closing. May be called twice. */
  close(): Promise<void>;
}

/** An empty stack. */
export function createClosingStack(log: Pick<FastifyBaseLogger, 'error'>): ClosingStack {
  const open: { name: string; close: () => Promise<void> }[] = [];
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    for (let last = open.pop(); last !== undefined; last = open.pop()) {
      const { name, close } = last;
      await close().catch((error: unknown) => log.error({ err: error }, `closing ${name} failed`));
    }
  };
  return {
    add(name, close) {
      open.push({ name, close });
    },
    close() {
      closing ??= closeAll();
      return closing;
    },
  };
}
