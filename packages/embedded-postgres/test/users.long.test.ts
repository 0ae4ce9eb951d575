import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startEmbeddedPostgres } from '../src/index.ts';
import { embeddedFolder, query } from './embedded-folder.ts';

const isRoot = process.getuid?.() === 0;

describe.runIf(isRoot)('as root', () => {
  test('a removed data folder starts empty, and the former database is neither used nor lost', async () => {
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
  });

  test('a database whose data folder was removed is named by the start of any other', async () => {
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
});
