import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { DataFolderInUse, startEmbeddedPostgres } from '../src/index.ts';
import { isAlive } from '../src/server.ts';
import { removeKilledRuns } from '../src/testing/index.ts';
import { dataDirectoryOf, embeddedFolder, query, serverProcessOf, spawnHost } from './embedded-folder.ts';

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const quiet = { onMessage: () => {} };

test('a server that outlived a killed host is stopped, and everything that was committed is there', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir);
  const url = await host.line('url');
  await query(url, 'create table kept as select 42 as value');
  const orphan = await serverProcessOf(dataDir);
  await host.end('SIGKILL');
  expect(isAlive(orphan)).toBe(true);

  const messages: string[] = [];
  const server = await startEmbeddedPostgres({ dataDir, onMessage: (message) => messages.push(message) });
  expect(isAlive(orphan)).toBe(false);
  expect(await serverProcessOf(dataDir)).not.toBe(orphan);
  expect(await query(server.url, 'select value from kept')).toEqual([{ value: 42 }]);
  expect(messages).toContain('stopped a PostgreSQL that had outlived its host');
  await server.stop();
});

test('a second host on the same data is refused in a sentence, and does not disturb the first', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir);
  const url = await host.line('url');
  const refusal = startEmbeddedPostgres({ dataDir, ...quiet });
  await expect(refusal).rejects.toThrow(DataFolderInUse);
  await expect(refusal).rejects.toThrow(
    new RegExp(`another waiver service \\(process ${host.process.pid}\\) uses`),
  );
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);

  await host.end('stdin');
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  await expect(startEmbeddedPostgres({ dataDir, ...quiet })).rejects.toThrow(DataFolderInUse);
  // The refusal must not have cost this process its own lock.
  expect(await spawnHost(dataDir).line('error')).toMatch(/^DataFolderInUse: another waiver service/);
  await server.stop();
});

longTest('of two hosts that start at once on a new folder, one runs and one is refused', async () => {
  const dataDir = await embeddedFolder();
  const hosts = [spawnHost(dataDir), spawnHost(dataDir)];
  const outcomes = await Promise.all(
    hosts.map((host) =>
      Promise.race([
        host.line('url').then(() => 'runs'),
        host.line('error').catch(() => new Promise<string>(() => {})),
      ]),
    ),
  );
  expect(outcomes.filter((outcome) => outcome === 'runs')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome.startsWith('DataFolderInUse'))).toHaveLength(1);
});

longTest('Ctrl-C, which goes to the whole group of processes, leaves the server to its host', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir);
  const url = await host.line('url');
  process.kill(-(host.process.pid ?? 0), 'SIGINT');
  await host.line('interrupted');
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await host.end('stdin');
});

test('a host that ends without stopping its server takes it along', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir, { ending: 'exit' });
  await host.line('url');
  const processId = await serverProcessOf(dataDir);
  await host.end('stdin');
  await vi.waitFor(() => expect(isAlive(processId)).toBe(false), { timeout: 60_000 });
});

longTest('a process that only has the number of a former server is not touched', async () => {
  const dataDir = await embeddedFolder();
  const first = spawnHost(dataDir);
  await first.line('url');
  const file = join(dataDirectoryOf(dataDir), 'postmaster.pid');
  const written = await readFile(file, 'utf8');
  await first.end('stdin');

  // As after a restart of a container, where the numbers begin again: the file names a process that is someone else.
  const innocent = spawnHost(await embeddedFolder());
  await innocent.line('url');
  await writeFile(file, written.replace(/^\d+/, String(innocent.process.pid)));
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
  expect([innocent.process.exitCode, innocent.process.signalCode]).toEqual([null, null]);
  await innocent.end('stdin');
});

test('the server of a killed test run is stopped and removed by the next run; a live one is not touched', async () => {
  const runs = await embeddedFolder();
  const [killed, alive] = ['killed', 'alive'].map((name) => join(runs, name));
  if (killed === undefined || alive === undefined) throw new Error('no folders');
  for (const folder of [killed, alive]) await mkdir(folder, { mode: 0o755 });
  const hosts = { killed: spawnHost(killed), alive: spawnHost(alive) };
  const url = await hosts.alive.line('url');
  await hosts.killed.line('url');
  const orphan = await serverProcessOf(killed);
  await hosts.killed.end('SIGKILL');

  await removeKilledRuns(runs);
  expect(isAlive(orphan), 'a run that is just being set up').toBe(true);
  await removeKilledRuns(runs, 0);
  expect(isAlive(orphan)).toBe(false);
  expect(await readdir(runs)).toEqual(['alive']);
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await hosts.alive.end('stdin');
});
