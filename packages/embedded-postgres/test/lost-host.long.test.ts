import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/index.ts';
import { dataDirectoryOf, embeddedFolder, query } from './embedded-folder.ts';
import { spawnHost } from './spawn-host.ts';

const quiet = { onMessage: () => {} };

test('of two hosts that start at once on a new folder, one runs and one is refused', async () => {
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

test('Ctrl-C, which goes to the whole group of processes, leaves the server to its host', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir);
  const url = await host.line('url');
  process.kill(-(host.process.pid ?? 0), 'SIGINT');
  await host.line('interrupted');
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await host.end('stdin');
});

test('a process that only has the number of a former server is not touched', async () => {
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
