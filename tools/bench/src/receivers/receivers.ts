import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { extname } from 'node:path';

/** To the receiver process: resets the count, and asks for `reached` after `total` messages. */
export interface Order {
  readonly total: number;
}

/** A message from the receiver process. */
export type Report =
  | { readonly kind: 'listening'; readonly ports: readonly number[] }
  | { readonly kind: 'reached' };

/** The process that receives and answers messages. */
export interface Receivers {
  /** One address for each port. */
  readonly origins: readonly string[];
  readonly pid: number | undefined;
  /** Restarts the count; `reached` resolves after `total` messages. */
  expect(total: number): Promise<{ readonly reached: Promise<void> }>;
  close(): Promise<void>;
}

// Longer than any run; a later arrival counts as lost.
const timeoutMs = 120_000;

async function next<Kind extends Report['kind']>(child: ChildProcess, kind: Kind) {
  const isWanted = (report: Report): report is Extract<Report, { kind: Kind }> => report.kind === kind;
  const reports = on(child, 'message', { signal: AbortSignal.timeout(timeoutMs), close: ['exit'] });
  for await (const [report] of reports) if (isWanted(report)) return report;
  throw new Error(`the receivers ended before "${kind}"`);
}

/** Starts the receivers. They end with this process, however it ends. */
export async function startReceivers(): Promise<Receivers> {
  const program = new URL(`receiver-process${extname(import.meta.filename)}`, import.meta.url);
  const child = fork(program, { stdio: 'inherit', execArgv: [] });
  const { ports } = await next(child, 'listening');
  const order = (wanted: Order) =>
    new Promise<void>((resolve, reject) =>
      child.send(wanted, (error) => (error ? reject(error) : resolve())),
    );
  return {
    pid: child.pid,
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    async expect(total) {
      const reached = next(child, 'reached').then(() => {});
      reached.catch(() => {});
      await order({ total });
      return { reached };
    },
    async close() {
      if (!child.connected) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
