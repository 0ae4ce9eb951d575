import { problem, startTestHost, textAt, until } from '@waiver-service/testing';
import { afterAll, expect, test } from 'vitest';

const host = await startTestHost();
afterAll(() => host.close());
const app = await host.makePool('rafting');
const other = await host.makePool('canyoning');

const changes = '/v1/pools/rafting/changes';

const sign = (id: string) => app('POST', '/v1/pools/rafting/waivers', { id, answers: { name: 'Ann' } });

async function readUntil(after: string, id: string): Promise<string> {
  let next = after;
  await until(async () => {
    const { body } = await app('GET', `${changes}?after=${next}`);
    next = textAt(body, 'next');
    return body.items.some((item: { id: string }) => item.id === id);
  }, `the change of ${id}`);
  return next;
}

test('returns each change once, after the reader’s position; an empty page has the next position', async () => {
  const start = await app('GET', changes);
  expect(start).toMatchObject({ status: 200, body: { items: [], next: expect.any(String) } });
  await sign('w1');
  const next = await readUntil(textAt(start.body, 'next'), 'w1');
  expect(await app('GET', `${changes}?after=${next}`)).toMatchObject({
    status: 200,
    body: { items: [], next },
  });
  await app('POST', '/v1/pools/rafting/waivers/w1/void');
  await until(
    async () => (await app('GET', `${changes}?after=${next}`)).body.items[0]?.deleted === true,
    'the change that voids',
  );
});

test('holds the answer until there is a change', async () => {
  const { body } = await app('GET', changes);
  await sign('w2');
  const next = await readUntil(textAt(body, 'next'), 'w2');
  const waiting = app('GET', `${changes}?after=${next}&wait=30`);
  await sign('w3');
  expect(await waiting).toMatchObject({ status: 200, body: { items: [{ id: 'w3' }] } });
});

test('requires access to the pool, and refuses malformed parameters', async () => {
  expect(await other('GET', changes)).toMatchObject({ status: 403 });
  expect(await host.call('GET', changes, undefined, { token: null })).toMatchObject({ status: 401 });
  expect(await host.admin('GET', changes)).toMatchObject({ status: 200 });
  expect(await host.admin('GET', '/v1/pools/nowhere/changes')).toMatchObject(problem(404, 'unknown_pool'));
  for (const [query, path] of [
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['limit=101', 'limit'],
    ['after=nonsense', 'after'],
    ['since=2026', ''],
  ]) {
    const answer = await app('GET', `${changes}?${query}`);
    expect(answer).toMatchObject(problem(400, 'malformed'));
    if (path !== '') expect(answer.body.errors[0].path).toBe(path);
  }
});

test('a stop of the host ends waiting requests', async () => {
  const stopped = await startTestHost();
  const caller = await stopped.makePool('rafting');
  const waiting = caller('GET', `${changes}?wait=30`);
  await stopped.admin('GET', '/v1/admin/pools');
  const closing = stopped.close();
  expect(await waiting).toMatchObject({ status: 200, body: { items: [] } });
  await closing;
});
