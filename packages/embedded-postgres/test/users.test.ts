import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findBinaries, reachableBinaries } from '../src/binaries.ts';
import { canEnter, chooseServerUser } from '../src/cluster.ts';
import { startEmbeddedPostgres } from '../src/index.ts';
import { dataDirectoryOf, embeddedFolder, query, spawnHost } from './embedded-folder.ts';

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const nobody = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const here = fileURLToPath(new URL('.', import.meta.url));
const othersCanReadUs = isRoot && (await canEnter(nobody, here));

describe.runIf(isRoot)('as root', () => {
  test('the server runs as another user', async () => {
    const dataDir = await embeddedFolder();
    const server = await startEmbeddedPostgres({ dataDir, onMessage: () => {} });
    expect((await stat(dataDirectoryOf(dataDir))).uid).not.toBe(0);
    await server.stop();
  });

  test('a data folder that only root can enter has its database elsewhere, in the same place each time', async () => {
    const dataDir = join(await embeddedFolder(0o700), 'data');
    const messages: string[] = [];
    const onMessage = (message: string) => messages.push(message);
    const first = await startEmbeddedPostgres({ dataDir, onMessage });
    onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
    expect(first.dataDir).toMatch(/^\/var\/lib\/waiver-service\/[0-9a-f]{16}$/);
    expect(messages.join()).toContain(`the database is in ${first.dataDir}`);
    await query(first.url, 'create table kept as select 42 as value');
    await first.stop();
    messages.length = 0;
    const second = await startEmbeddedPostgres({ dataDir, onMessage });
    expect(second.dataDir).toBe(first.dataDir);
    // Each start says it, not only the one that made it.
    expect(messages.join()).toContain(`the database is in ${first.dataDir}`);
    expect(await query(second.url, 'select value from kept')).toEqual([{ value: 42 }]);
    await second.stop();

    // Opening the folder later must not make the data seem lost.
    await chmod(join(dataDir, '..'), 0o755);
    const third = await startEmbeddedPostgres({ dataDir, onMessage });
    expect(await query(third.url, 'select value from kept')).toEqual([{ value: 42 }]);
    await third.stop();

    await rm(first.dataDir, { recursive: true });
    await expect(startEmbeddedPostgres({ dataDir, onMessage })).rejects.toThrow(/which is not there/);
  });

  longTest(
    'a removed data folder starts empty, and the former database is neither used nor lost',
    async () => {
      const dataDir = join(await embeddedFolder(0o700), 'data');
      const messages: string[] = [];
      const onMessage = (message: string) => messages.push(message);
      const first = await startEmbeddedPostgres({ dataDir, onMessage });
      onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
      await query(first.url, 'create table kept as select 42 as value');
      await first.stop();
      await rm(dataDir, { recursive: true });
      const second = await startEmbeddedPostgres({ dataDir, onMessage });
      onTestFinished(() => rm(second.dataDir, { recursive: true, force: true }));
      expect(second.dataDir).not.toBe(first.dataDir);
      expect(await query(second.url, "select to_regclass('kept') as kept")).toEqual([{ kept: null }]);
      await second.stop();
      expect((await stat(first.dataDir)).isDirectory()).toBe(true);
      expect(messages.join()).toContain(
        `${first.dataDir} still holds the database of the data folder ${dataDir}`,
      );
      expect(messages.join()).not.toContain(`${second.dataDir} still holds`);
    },
  );

  longTest('a database whose data folder was removed is named by the start of any other', async () => {
    const removed = join(await embeddedFolder(0o700), 'data');
    const first = await startEmbeddedPostgres({ dataDir: removed, onMessage: () => {} });
    onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
    await first.stop();
    const messages: string[] = [];
    const elsewhere = {
      dataDir: await embeddedFolder(),
      onMessage: (message: string) => messages.push(message),
    };
    await (await startEmbeddedPostgres(elsewhere)).stop();
    expect(messages.join()).not.toContain(first.dataDir);
    await rm(removed, { recursive: true });
    await (await startEmbeddedPostgres(elsewhere)).stop();
    expect(messages.join()).toContain(
      `${first.dataDir} still holds the database of the data folder ${removed}`,
    );
  });

  test('no user is made: one that is there is taken and named, or the start says what to do', async () => {
    const before = await readFile('/etc/passwd', 'utf8');
    const messages: string[] = [];
    const folder = dataDirectoryOf(await embeddedFolder());
    const choose = (...names: string[]) =>
      chooseServerUser(folder, (message) => messages.push(message), names);
    expect(await choose('no-such-user', 'nobody')).toMatchObject({ uid: nobody.uid });
    expect(messages).toEqual(['PostgreSQL cannot run as root: it runs as the user "nobody"']);
    await expect(choose('no-such-user', 'nor-this-one')).rejects.toThrow(
      /no user no-such-user or nor-this-one: start the service as another user than root.*DATABASE_URL/,
    );
    expect(await readFile('/etc/passwd', 'utf8')).toBe(before);
  });

  test('programs that only root can reach run from a copy', async () => {
    const folder = await embeddedFolder(0o700);
    const name = `test-${Math.random().toString(36).slice(2)}`;
    await mkdir(join(folder, 'bin'), { mode: 0o700 });
    await writeFile(join(folder, 'bin', 'postgres'), '#!/bin/sh\necho fake\n', { mode: 0o700 });
    const messages: string[] = [];
    const binaries = { folder, name, majorVersion: 18 };
    const copy = await reachableBinaries(binaries, nobody, (message) => messages.push(message));
    onTestFinished(() => rm(copy, { recursive: true, force: true }));
    expect(copy).toBe(`/var/lib/waiver-service/postgres/${name}`);
    expect(await readFile(join(copy, 'bin', 'postgres'), 'utf8')).toContain('fake');
    expect(messages.join()).toContain(copy);
    expect(await reachableBinaries(binaries, nobody, (message) => messages.push(message))).toBe(copy);
    expect(messages).toHaveLength(1);
  });

  test('a database that a normal user made goes on as that user’s', async () => {
    const folder = await embeddedFolder();
    await mkdir(dataDirectoryOf(folder));
    await chown(dataDirectoryOf(folder), nobody.uid, nobody.gid);
    expect(await chooseServerUser(dataDirectoryOf(folder), () => {})).toEqual(nobody);
  });
});

test.runIf(othersCanReadUs)('as a normal user it runs as that user, in the data folder', async () => {
  const dataDir = await embeddedFolder();
  await chown(dataDir, nobody.uid, nobody.gid);
  const host = spawnHost(dataDir, nobody);
  expect(await query(await host.line('url'), 'select 1 as one')).toEqual([{ one: 1 }]);
  expect((await stat(dataDirectoryOf(dataDir))).uid).toBe(nobody.uid);
  await host.end('stdin');
});

test('the programs’ copy is named by platform and version', () => {
  expect(findBinaries().name).toMatch(/^[a-z]+-[a-z0-9]+-\d+\./);
});
