import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../src/postmaster.ts';
import { removeKilledRuns } from '../../src/testing/index.ts';
import { embeddedFolder, query, serverProcessOf } from '../embedded-folder.ts';
import { spawnHost } from '../spawn-host.ts';

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
