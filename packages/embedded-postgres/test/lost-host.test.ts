import { expect, test, vi } from 'vitest';
import { DataFolderInUse, startEmbeddedPostgres } from '../src/index.ts';
import { isAlive } from '../src/postmaster.ts';
import { embeddedFolder, query, serverProcessOf } from './embedded-folder.ts';
import { spawnHost } from './spawn-host.ts';

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

test('a host that ends without stopping its server takes it along', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir, { ending: 'exit' });
  await host.line('url');
  const processId = await serverProcessOf(dataDir);
  await host.end('stdin');
  await vi.waitFor(() => expect(isAlive(processId)).toBe(false), { timeout: 60_000 });
});
