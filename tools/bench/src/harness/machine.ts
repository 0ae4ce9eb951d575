import { cpus, loadavg, totalmem } from 'node:os';

/** This machine, in two lines. Call it before the run begins: the load average is that of other programs then. */
export function describeMachine(): (postgres: string) => string {
  const processors = cpus();
  const cpu = processors[0]?.model.trim() ?? 'unknown';
  const memoryGiB = Math.round(totalmem() / 2 ** 30);
  const load = (loadavg()[0] ?? 0).toFixed(2);
  return (postgres) =>
    `${processors.length} cores (${cpu}), ${memoryGiB} GiB, ${process.platform} ${process.arch}; Node ${process.version}; ${postgres}
load average at the start ${load}; sender, receivers and database share the cores`;
}
