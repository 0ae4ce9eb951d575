import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { watchProcessors } from '../src/harness/processor-times.ts';

const busyMs = 100;

it.skipIf(!existsSync('/proc/self/stat'))(
  'what a process and its ended children use is told for each message',
  () => {
    const used = watchProcessors({
      own: [{ pid: process.pid }],
      family: [{ pid: process.pid, withChildren: true }],
      nobody: [],
    });
    const until = performance.now() + busyMs;
    while (performance.now() < until);
    spawnSync(process.execPath, [
      '-e',
      `const until = performance.now() + ${busyMs}; while (performance.now() < until);`,
    ]);
    const [own, family, nobody] = used(10).map(({ value }) => value);
    expect(own).toBeGreaterThan(0);
    expect(family).toBeGreaterThan(own ?? 0);
    expect(nobody).toBe(0);
  },
);
