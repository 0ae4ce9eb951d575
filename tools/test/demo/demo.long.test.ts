import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const program = join(import.meta.dirname, '../../dist/demo/main.js');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'waiver-service-demo-'));
  // Root's PostgreSQL runs as another user, who needs access.
  chmodSync(folder, 0o755);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Demo {
  readonly process: ChildProcess;
  readonly closed: Promise<unknown[]>;
  output(): string;
  shown(text: string): Promise<void>;
}

function startDemo(dataDir: string): Demo {
  const child = spawn(process.execPath, [program, '--data-dir', dataDir], {
    env: { ...process.env, NO_COLOR: '1' },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  return {
    process: child,
    closed,
    output: () => output,
    async shown(text) {
      await expect.poll(() => output, { timeout: 120_000, interval: 20 }).toContain(text);
    },
  };
}

test('Ctrl-C in the middle of the story ends the demo, however long the story would still wait', async () => {
  const demo = startDemo(join(folder, 'interrupted'));
  await demo.shown('An outage');
  const askedAt = performance.now();
  demo.process.kill('SIGINT');
  expect(await demo.closed).toEqual([0, null]);
  // The story waits 30 s for each message.
  expect(performance.now() - askedAt).toBeLessThan(20_000);
  expect(demo.output()).not.toContain('Where to look');
});

test('Ctrl-C while the host starts ends the demo', async () => {
  const demo = startDemo(join(folder, 'starting'));
  await demo.shown('A simulated booking system listens');
  demo.process.kill('SIGINT');
  expect(await demo.closed).toEqual([0, null]);
  expect(demo.output()).not.toContain('The host listens');
});

test('a port that another program takes while the host starts is replaced by a free one', async () => {
  const dataDir = join(folder, 'port-taken');
  const demo = startDemo(dataDir);
  await expect.poll(() => existsSync(join(dataDir, 'host.pid')), { interval: 1 }).toBe(true);
  const other = createServer();
  onTestFinished(() => {
    other.close();
  });
  // Another run may have it already, which serves as well.
  other.on('error', () => {}).listen(8080, '127.0.0.1');
  await demo.shown('The host listens');
  expect(demo.output()).not.toContain('127.0.0.1:8080');
});
