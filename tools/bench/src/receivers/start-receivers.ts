import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { programBeside } from '../program-beside.ts';
import type { Arrival, Order, Report } from './messages.ts';

/** The process that receives and answers messages. */
export interface Receivers {
  /** One address for each port. A path that begins with `/silent` is never answered. */
  readonly origins: readonly string[];
  /** Restarts the count; `reached` resolves after `total` messages. `record` keeps each message's arrival. */
  expect(
    total: number,
    options?: { readonly record?: boolean },
  ): Promise<{ readonly reached: Promise<void> }>;
  /** Arrivals since `expect`, or since the last call. */
  arrivals(): Promise<readonly Arrival[]>;
  /** Makes one address close connections instead of answering, or answer again. */
  setBroken(origin: string, isBroken: boolean): Promise<void>;
  close(): Promise<void>;
}

// Longer than any run; a later arrival counts as lost.
const timeoutMs = 120_000;

function next<Kind extends Report['kind']>(child: ChildProcess, kind: Kind) {
  const { promise, resolve, reject } = Promise.withResolvers<Extract<Report, { kind: Kind }>>();
  const isWanted = (report: Report): report is Extract<Report, { kind: Kind }> => report.kind === kind;
  const late = setTimeout(
    () => stop(() => reject(new Error(`no "${kind}" came within ${timeoutMs} ms`))),
    timeoutMs,
  );
  const onExit = () => stop(() => reject(new Error('the receivers ended unexpectedly')));
  const onMessage = (report: Report) => {
    if (!isWanted(report)) return;
    stop(() => resolve(report));
  };
  function stop(settle: () => void) {
    clearTimeout(late);
    child.off('message', onMessage).off('exit', onExit);
    settle();
  }
  child.on('message', onMessage).once('exit', onExit);
  // Callers still see the rejection; this only avoids an unhandledRejection when they have gone.
  promise.catch(() => {});
  return promise;
}

/** Starts the receivers. They end with this process, however it ends. */
export async function startReceivers(): Promise<Receivers> {
  const child = fork(programBeside(import.meta.filename, 'receiver-process'), {
    stdio: 'inherit',
    execArgv: [],
  });
  const { ports } = await next(child, 'listening');
  const order = (wanted: Order) =>
    new Promise<void>((resolve, reject) =>
      child.send(wanted, (error) => (error ? reject(error) : resolve())),
    );
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    async expect(total, { record = false } = {}) {
      const reached = next(child, 'reached').then(() => {});
      reached.catch(() => {});
      await order({ kind: 'expect', total, record });
      return { reached };
    },
    async arrivals() {
      const report = next(child, 'arrivals');
      await order({ kind: 'arrivals' });
      return (await report).arrivals;
    },
    setBroken: (origin, isBroken) => order({ kind: 'break', port: Number(new URL(origin).port), isBroken }),
    async close() {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
