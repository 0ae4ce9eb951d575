import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NoEmbeddedDatabase, reachEmbeddedPostgres } from '../src/index.ts';
import { isAlive } from '../src/postmaster.ts';
import { dataDirectoryOf, embeddedFolder, query, serverProcessOf } from './embedded-folder.ts';
import { spawnHost } from './spawn-host.ts';

const quiet = { onMessage: () => {} };

test('the server of a running host is used and not stopped; without a host it is started and stopped', async () => {
  const dataDir = await embeddedFolder();
  const host = spawnHost(dataDir);
  await host.line('url');
  const ofHost = await serverProcessOf(dataDir);
  const shared = await reachEmbeddedPostgres({ dataDir, ...quiet });
  await query(shared.url, 'create table kept as select 42 as value');
  await shared.stop();
  expect(isAlive(ofHost)).toBe(true);
  await host.end('stdin');
  expect(isAlive(ofHost)).toBe(false);

  const own = await reachEmbeddedPostgres({ dataDir, ...quiet });
  expect(await query(own.url, 'select value from kept')).toEqual([{ value: 42 }]);
  const started = await serverProcessOf(dataDir);
  await own.stop();
  expect(isAlive(started)).toBe(false);
});

test('a folder without a database stays without one', async () => {
  const dataDir = await embeddedFolder();
  const reached = reachEmbeddedPostgres({ dataDir, ...quiet });
  await expect(reached).rejects.toThrow(NoEmbeddedDatabase);
  expect(existsSync(dataDirectoryOf(dataDir))).toBe(false);
  await rm(dataDir, { recursive: true });
  await expect(reachEmbeddedPostgres({ dataDir, ...quiet })).rejects.toThrow('is DATA_DIR right?');
  expect(existsSync(dataDir)).toBe(false);
});

test('a database of another version of PostgreSQL is refused with advice', async () => {
  const dataDir = await embeddedFolder();
  await mkdir(join(dataDir, 'postgres-9'));
  await expect(reachEmbeddedPostgres({ dataDir, ...quiet })).rejects.toThrow(
    /holds postgres-9, .* back it up .* restore the backup into another DATA_DIR/,
  );
});
