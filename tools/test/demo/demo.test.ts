import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { documentedBlock } from '../documented-block.ts';

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const program = join(import.meta.dirname, '../../src/demo/main.ts');
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

const spawnProgram = (...given: string[]) =>
  spawn(process.execPath, ['--conditions=@waiver-service/source', program, ...given], {
    env: { ...process.env, NO_COLOR: '1' },
  });

function startDemo(dataDir: string): Demo {
  const child = spawnProgram('--data-dir', dataDir);
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

longTest(
  'Ctrl-C in the middle of the story ends the demo, however long the story would still wait',
  async () => {
    const demo = startDemo(join(folder, 'interrupted'));
    await demo.shown('An outage');
    const askedAt = performance.now();
    demo.process.kill('SIGINT');
    expect(await demo.closed).toEqual([0, null]);
    // The story waits 30 s for each message.
    expect(performance.now() - askedAt).toBeLessThan(20_000);
    expect(demo.output()).not.toContain('Where to look');
  },
);

longTest('Ctrl-C while the host starts ends the demo', async () => {
  const demo = startDemo(join(folder, 'starting'));
  await demo.shown('A simulated booking system listens');
  demo.process.kill('SIGINT');
  expect(await demo.closed).toEqual([0, null]);
  expect(demo.output()).not.toContain('The host listens');
});

longTest('a port that another program takes while the host starts is replaced by a free one', async () => {
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

/** Matches what an example shows: lists may have more items, objects more fields. */
function matching(shown: unknown): unknown {
  if (Array.isArray(shown)) return expect.arrayContaining(shown.map(matching));
  if (typeof shown !== 'object' || shown === null) return shown;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, matching(value)])),
  );
}

const seen = (name: string) => expect.objectContaining({ name });
const inState = (state: string) => expect.objectContaining({ state });

/** A day as its board shows it. */
async function readBoard(url: string, dataDir: string, day: string): Promise<unknown> {
  const token = readFileSync(join(dataDir, 'admin-token'), 'utf8').trim();
  const response = await fetch(`${url}/v1/admin/pools/demo-rafting/days/${day}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return response.json();
}

test('a demo whose story is told: the README’s first request, the day, a second demo in its folder, the end of its host', async () => {
  const dataDir = join(folder, 'told');
  const demo = startDemo(dataDir);
  await demo.shown('Ctrl-C ends it');
  expect(demo.output()).toContain('✔ Zoë’s waiver was voided');
  const url = /The waiver service runs at (\S+)\. Ctrl-C/.exec(demo.output())?.[1] ?? '';
  const command = documentedBlock('README.md', 'curl -H')
    .replace('.data/demo', dataDir)
    .replace('http://127.0.0.1:8080', url);
  const answer: unknown = JSON.parse(
    execFileSync('bash', ['-euc', command], { encoding: 'utf8', stdio: 'pipe' }),
  );
  const shown: unknown = JSON.parse(documentedBlock('README.md', '{').replaceAll(/,? …/g, ''));
  expect(answer).toEqual(matching(shown));

  const [, saturday = ''] = /The board of Saturday, (\S+):/.exec(demo.output()) ?? [];
  expect(new Date(saturday).getUTCDay()).toBe(6);
  expect(demo.output()).toContain(`${url}/console/day?pool=demo-rafting&date=${saturday}`);
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Europe/Vienna' });
  for (const day of [saturday, today]) {
    expect(await readBoard(url, dataDir, day)).toMatchObject({
      bookings: expect.arrayContaining([
        expect.objectContaining({
          notes: expect.stringContaining('The bus is late'),
          arrived: 0,
          guests: expect.arrayContaining([inState('signed'), inState('begun'), inState('missing')]),
        }),
        expect.objectContaining({ arrived: 4, signed: 4, expected: 4 }),
        expect.objectContaining({ isCancelled: true }),
      ]),
      walkIns: [seen('Mia Lindqvist'), seen('Omar Haddad'), seen('Priya Nair')],
      sources: expect.arrayContaining([
        expect.objectContaining({ bookingSystem: 'octo', lists: true, problem: null }),
      ]),
    });
  }

  const log = readFileSync(`${dataDir}.log`, 'utf8');
  expect(log).not.toBe('');
  const second = startDemo(dataDir);
  expect(await second.closed).toEqual([1, null]);
  expect(second.output()).toContain('another waiver service (process');
  expect(second.output()).toContain('The demo runs already');
  expect(readFileSync(`${dataDir}.log`, 'utf8').startsWith(log)).toBe(true);

  process.kill(Number(readFileSync(join(dataDir, 'host.pid'), 'utf8')), 'SIGTERM');
  expect(await demo.closed).toEqual([1, null]);
  expect(demo.output()).toContain(`The host ended by itself`);
  expect(existsSync(`${dataDir}.log`)).toBe(true);
});

test('an argument that the demo does not know is named', async () => {
  const demo = spawnProgram('--colour');
  let said = '';
  demo.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await once(demo, 'close')).toEqual([2, null]);
  expect(said).toContain('--colour');
});
