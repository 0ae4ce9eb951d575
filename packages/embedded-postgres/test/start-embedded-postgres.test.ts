import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NoEmbeddedDatabase, reachEmbeddedPostgres, startEmbeddedPostgres } from '../src/index.ts';
import { isAlive } from '../src/server.ts';
import { dataDirectoryOf, embeddedFolder, query, serverProcessOf, spawnHost } from './embedded-folder.ts';

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const quiet = { onMessage: () => {} };

test('stored data is there after a restart, and the server ends on request', async () => {
  const dataDir = join(await embeddedFolder(), 'data');
  const first = await startEmbeddedPostgres({ dataDir, ...quiet });
  await query(first.url, 'create table kept as select 42 as value');
  const processId = await serverProcessOf(dataDir);
  await Promise.all([first.stop(), first.stop()]);
  await first.stop();
  expect(isAlive(processId)).toBe(false);

  const second = await startEmbeddedPostgres({ dataDir, ...quiet });
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
  await second.stop();
});

test('it is durable, and reachable by its own user only', async () => {
  const dataDir = await embeddedFolder();
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  const show = async (name: string) => (await query(server.url, `show ${name}`))[0]?.[name];
  expect(await show('fsync')).toBe('on');
  expect(await show('synchronous_commit')).toBe('on');
  expect(await show('data_checksums')).toBe('on');
  expect(await show('listen_addresses')).toBe('');
  expect(await show('server_encoding')).toBe('UTF8');
  const socketFolder = String(await show('unix_socket_directories'));
  for (const folder of [socketFolder, dataDirectoryOf(dataDir)]) {
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  }
  expect((await stat(join(dataDir, 'postgres.log'))).mode & 0o777).toBe(0o600);
  // There is no password, so none can be found.
  expect(server.url).toMatch(/^postgresql:\/\/[a-z_]+@\//);
  await server.stop();
});

test('a statement that fails leaves none of its values in the log', async () => {
  const dataDir = await embeddedFolder();
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  await expect(query(server.url, "select 'planted-answer'::int")).rejects.toThrow();
  await expect(query(server.url, "insert into nowhere values ('planted-statement')")).rejects.toThrow();
  await server.stop();
  expect(await readFile(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('planted-statement');
});

longTest('a data folder whose path is too long for a socket works', async () => {
  const dataDir = join(await embeddedFolder(), 'a'.repeat(60), 'b'.repeat(60));
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a first start that was cut short does not stop the next one', async () => {
  const dataDir = await embeddedFolder();
  const unfinished = `${dataDirectoryOf(dataDir)}.unfinished`;
  await mkdir(unfinished);
  await writeFile(join(unfinished, 'PG_VERSION'), '18\n');
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  await server.stop();
  expect(await readdir(dataDir)).not.toContain('postgres-18.unfinished');
});

longTest(
  'a server that is killed is started again at the same address, but not four times in a minute',
  async () => {
    // However slow the machine is, it is the same minute.
    vi.spyOn(performance, 'now').mockReturnValue(1);
    onTestFinished(() => void vi.restoreAllMocks());
    const dataDir = await embeddedFolder();
    const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>();
    const messages: string[] = [];
    const onMessage = (message: string) => messages.push(message);
    const server = await startEmbeddedPostgres({ dataDir, onMessage, onLost });
    await query(server.url, 'create table kept as select 42 as value');
    const kill = async () => process.kill(await serverProcessOf(dataDir), 'SIGKILL');
    const restarts = () => messages.filter((message) => message.includes('runs again')).length;
    for (const turn of [1, 2, 3]) {
      await kill();
      await vi.waitFor(() => expect(restarts()).toBe(turn), { timeout: 60_000, interval: 50 });
      expect(await query(server.url, 'select value from kept')).toEqual([{ value: 42 }]);
    }
    await kill();
    expect((await lost).message).toContain('it ended 4 times within a minute');
    await server.stop();
  },
);

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
