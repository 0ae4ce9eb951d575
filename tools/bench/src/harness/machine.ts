import { cpus, loadavg, totalmem } from 'node:os';

/** The machine that the figures come from. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** Load average of the last minute when the run began: other activity on the machine. */
  readonly loadAtStart: number;
}

/** Describes this machine. */
export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cores: processors.length,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadAtStart: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

/** The machine, in two lines. */
export function machineLines(machine: Machine, postgres: string): string[] {
  const { cores, cpu, memoryGiB, platform, node, loadAtStart } = machine;
  return [
    `${cores} cores (${cpu}), ${memoryGiB} GiB, ${platform}; Node ${node}; ${postgres}`,
    `load average at the start ${loadAtStart}; sender, receivers and database share the cores`,
  ];
}
