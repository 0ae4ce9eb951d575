import { afterEach, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../../src/index.ts';
import { createNameResolver, type NameResolverOptions } from '../../src/names/name-resolver.ts';
import { type LoopbackServer, serveHttp } from '../loopback-servers.ts';
import { type NameServer, startNameServer } from './name-server.ts';

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

interface World {
  readonly outbound: Outbound;
  readonly names: NameServer;
  readonly receiver: LoopbackServer;
  post(name: string): Promise<{ status: number }>;
}

/** `healthy…` names lead to a receiver; a name with `dead` in it is never answered for. */
async function startWorld(options: Partial<NameResolverOptions> = {}): Promise<World> {
  const names = await startNameServer((name) => {
    if (name.includes('dead')) return 'silent';
    return name.startsWith('healthy') ? { ipv4: ['127.0.0.1'], ttl: 0 } : undefined;
  });
  const receiver = await serveHttp((_request, response) => response.end('{}'));
  const nameResolver = createNameResolver({
    deadlineMs: 4_000,
    nameServers: [names.address],
    resolvConf: '/nowhere',
    ...options,
  });
  const outbound = createOutbound({ allow: ['127.0.0.1/32'], timeoutMs: 20_000, nameResolver });
  opened.push(names, receiver, outbound);
  return {
    outbound,
    names,
    receiver,
    post: (name) =>
      outbound
        .endpoint({ url: `http://${name}:${receiver.port}/hook`, headers: { connection: 'close' } })
        .post({ body: '{}' }),
  };
}

test('names that get no answer do not delay a healthy one', async () => {
  const { post } = await startWorld({ deadlineMs: 120_000 });
  let ended = 0;
  for (let index = 0; index < 100; index += 1) {
    post(`dead-${index}.example`).catch(() => {
      ended += 1;
    });
  }
  for (let call = 0; call < 10; call += 1) {
    expect((await post(`healthy-${call}.example`)).status).toBe(200);
  }
  expect(ended).toBe(0);
});

test('names that get no answer fail with dns_error', async () => {
  const { post, names } = await startWorld();
  const calls = Array.from({ length: 100 }, (_, index) =>
    post(`dead-${index}.example`).catch((error: unknown) => error),
  );
  for (const error of await Promise.all(calls)) {
    expect(error).toMatchObject({
      code: 'booking_system_error',
      outboundErrorCode: 'dns_error',
      inDoubt: false,
      // On a slow machine, the last attempt may end before the deadline is seen to be over.
      message: expect.stringMatching(/did not answer within 4000 ms|no answer that counts \(ETIMEOUT\)/),
    });
  }
  expect(new Set(names.asked.map(({ name }) => name)).size).toBe(100);
});

test('above maxLookups, the longest-running look-ups are cancelled and a healthy name still resolves', async () => {
  const { post } = await startWorld({ maxLookups: 20, deadlineMs: 60_000 });
  const dead = Array.from({ length: 60 }, (_, index) =>
    post(`dead-${index}.example`).catch((error) => error),
  );
  const ended: unknown[] = [];
  for (const call of dead) void call.then((error) => ended.push(error));
  for (let call = 0; call < 30; call += 1) {
    expect((await post(`healthy-${call}.example`)).status).toBe(200);
  }
  await expect.poll(() => ended.length).toBeGreaterThanOrEqual(40);
  expect(ended[0]).toMatchObject({
    outboundErrorCode: 'dns_error',
    message: expect.stringContaining('too many other names'),
  });
  // The others run until their deadline unless new look-ups cancel them.
  await Promise.all(Array.from({ length: 20 }, (_, index) => post(`healthy-x${index}.example`)));
  await Promise.all(dead);
});

test('many calls to one dead name share a look-up, and its failure is cached for a second', async () => {
  const { post, names } = await startWorld();
  const calls = Array.from({ length: 50 }, () => post('dead.example').catch((error) => error));
  const errors = await Promise.all(calls);
  for (const error of errors) expect(error).toMatchObject({ outboundErrorCode: 'dns_error' });
  const asked = names.asked.length;
  // At most two attempts for each of two families.
  expect(asked).toBeLessThanOrEqual(4);
  await expect(post('dead.example')).rejects.toMatchObject({ outboundErrorCode: 'dns_error' });
  expect(names.asked.length).toBe(asked);
});

test('a name that does not exist fails with dns_error at once, and is queried again once that may have changed', async () => {
  const { post, names } = await startWorld();
  await expect(post('nobody.example')).rejects.toMatchObject({
    outboundErrorCode: 'dns_error',
    message: expect.stringContaining('no such name'),
  });
  const asked = names.asked.length;
  await expect
    .poll(async () => {
      await post('nobody.example').catch(() => {});
      return names.asked.length;
    })
    .toBeGreaterThan(asked);
});
