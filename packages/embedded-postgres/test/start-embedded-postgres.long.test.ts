import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../src/index.ts';
import { embeddedFolder, query, serverProcessOf } from './embedded-folder.ts';

const quiet = { onMessage: () => {} };

test('a data folder whose path is too long for a socket works', async () => {
  const dataDir = join(await embeddedFolder(), 'a'.repeat(60), 'b'.repeat(60));
  const server = await startEmbeddedPostgres({ dataDir, ...quiet });
  expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await server.stop();
});

test('a server that is killed is started again at the same address, but not four times in a minute', async () => {
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
});
