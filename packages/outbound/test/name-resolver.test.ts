import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../src/index.ts';
import { createNameResolver, type NameResolverOptions } from '../src/names/name-resolver.ts';
import {
  type LoopbackServer,
  type NameServer,
  serveHttp,
  startNameServer,
  type Zone,
} from './loopback-servers.ts';

let zones: Record<string, Zone>;
let names: NameServer;
let folder: string;

beforeEach(async () => {
  zones = {};
  names = await startNameServer((name) => zones[name]);
  folder = mkdtempSync(join(tmpdir(), 'waiver-names-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await names.close();
});

function resolver(options: Partial<NameResolverOptions> = {}) {
  return createNameResolver({
    deadlineMs: 5_000,
    nameServers: [names.address],
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
    families: [6, 4],
    ...options,
  });
}
const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
const ipv4 = (address: string) => ({ address, family: 4 });
const ipv6 = (address: string) => ({ address, family: 6 });
const askedNames = () => [...new Set(names.asked.map(({ name }) => name))];

describe('the cache', () => {
  test('caches addresses for their TTL, ignoring case', async () => {
    zones['kept.example'] = { ipv4: ['192.0.2.1'], ttl: 60 };
    const { resolve } = resolver();
    expect(await resolve('kept.example')).toEqual([ipv4('192.0.2.1')]);
    zones['kept.example'] = { ipv4: ['192.0.2.2'], ttl: 60 };
    expect(await resolve('KEPT.example')).toEqual([ipv4('192.0.2.1')]);
    expect(names.asked).toHaveLength(2);
  });

  test('does not cache a TTL of 0, and expires entries', async () => {
    const { resolve } = resolver();
    for (const ttl of [0, 1]) {
      const name = `ttl-${ttl}.example`;
      zones[name] = { ipv4: ['192.0.2.1'], ttl };
      expect(await resolve(name)).toEqual([ipv4('192.0.2.1')]);
      zones[name] = { ipv4: ['192.0.2.2'], ttl };
      await expect.poll(() => resolve(name)).toEqual([ipv4('192.0.2.2')]);
    }
  });

  test('evicts the oldest names', async () => {
    zones['first.example'] = { ipv4: ['192.0.2.1'] };
    const { resolve } = resolver();
    await resolve('first.example');
    for (let index = 0; index < 1_000; index += 50) {
      const batch = Array.from({ length: 50 }, (_, of) => resolve(`no-${index + of}.example`));
      await Promise.allSettled(batch);
    }
    const before = names.asked.length;
    await resolve('first.example');
    expect(names.asked.length).toBe(before + 2);
  });
});

describe('the hosts file', () => {
  test('takes precedence over name servers, and is read again when it changes', async () => {
    write(
      'hosts',
      '127.0.0.1 localhost\n10.1.2.3\tPartner.example alias # a comment\n::1 alias\nnonsense alias\n',
    );
    const { resolve } = resolver();
    expect(await resolve('partner.EXAMPLE')).toEqual([ipv4('10.1.2.3')]);
    expect(await resolve('partner.example.')).toEqual([ipv4('10.1.2.3')]);
    expect(await resolve('alias')).toEqual([ipv4('10.1.2.3'), ipv6('::1')]);
    write('hosts', '10.1.2.4 partner.example\n');
    // Two writes may fall into one tick of the file system's clock.
    utimesSync(join(folder, 'hosts'), new Date(), new Date(Date.now() + 10_000));
    expect(await resolve('partner.example')).toEqual([ipv4('10.1.2.4')]);
    rmSync(join(folder, 'hosts'));
    await expect(resolve('partner.example')).rejects.toThrow('no such name');
    expect(askedNames()).toEqual(['partner.example']);
  });

  test.each(['localhost', 'LOCALHOST.', 'app.localhost'])(
    '%s is this machine, whatever it says',
    async (name) => {
      write('hosts', '10.0.0.1 localhost app.localhost\n');
      expect(await resolver().resolve(name)).toEqual([ipv4('127.0.0.1'), ipv6('::1')]);
      expect(names.asked).toEqual([]);
    },
  );
});

describe('short names, as container platforms use them', () => {
  const conf =
    'nameserver 10.0.0.1\nsearch ns.svc.cluster.local svc.cluster.local.\noptions timeout:1 ndots:2\n';

  test('are completed by the search domains, in order', async () => {
    write('resolv.conf', conf);
    zones['hooks.ns.svc.cluster.local'] = { ipv4: ['192.0.2.1'] };
    zones['hooks.other.svc.cluster.local'] = { ipv4: ['192.0.2.2'] };
    const { resolve } = resolver();
    expect(await resolve('hooks')).toEqual([ipv4('192.0.2.1')]);
    expect(await resolve('hooks.other')).toEqual([ipv4('192.0.2.2')]);
    expect(askedNames()).toEqual([
      'hooks.ns.svc.cluster.local',
      'hooks.other.ns.svc.cluster.local',
      'hooks.other.svc.cluster.local',
    ]);
  });

  test('are tried as they are first if they have ndots dots, and only so if they end with a dot', async () => {
    write('resolv.conf', conf);
    zones['api.partner.example'] = { ipv4: ['192.0.2.1'] };
    zones['hooks.ns.svc.cluster.local'] = { ipv4: ['192.0.2.2'] };
    const { resolve } = resolver();
    expect(await resolve('api.partner.example')).toEqual([ipv4('192.0.2.1')]);
    await expect(resolve('hooks.')).rejects.toThrow('no such name');
    expect(askedNames()).toEqual(['api.partner.example', 'hooks']);
  });

  test('never resolve to the owner of the name outside while the cluster’s name server is down', async () => {
    write('resolv.conf', 'domain cluster.local\noptions ndots:5\n');
    zones['hooks.dev.cluster.local'] = 'broken';
    zones['hooks.dev'] = { ipv4: ['192.0.2.66'] };
    await expect(resolver().resolve('hooks.dev')).rejects.toThrow('ESERVFAIL');
    zones['hooks.app.cluster.local'] = 'silent';
    zones['hooks.app'] = { ipv4: ['192.0.2.66'] };
    await expect(resolver({ deadlineMs: 600 }).resolve('hooks.app')).rejects.toThrow('did not answer');
  });
});

describe('address families', () => {
  test('are both queried, IPv6 first', async () => {
    zones['both.example'] = { ipv4: ['192.0.2.1', '192.0.2.2'], ipv6: ['2001:db8::1'] };
    expect((await resolver().resolve('both.example')).map(({ family }) => family)).toEqual([6, 4, 4]);
  });

  test('one that gets no answer does not delay the other', async () => {
    zones['half.example'] = { ipv4: ['192.0.2.1'], ipv6: 'silent' };
    expect(await resolver({ deadlineMs: 60_000 }).resolve('half.example')).toEqual([ipv4('192.0.2.1')]);
  });

  test('a name without addresses does not resolve', async () => {
    zones['empty.example'] = {};
    await expect(resolver().resolve('empty.example')).rejects.toThrow('no address');
  });

  test('if the first address refuses the connection, the second one is tried', async () => {
    const server = await serveHttp((_request, response) => response.end('{}'));
    zones['dual.example'] = { ipv4: ['127.0.0.1'], ipv6: ['::1'] };
    const allow = ['127.0.0.1/32', '::1/128'];
    const outbound = createOutbound({ allow, timeoutMs: 10_000, nameResolver: resolver() });
    const url = `http://dual.example:${server.port}/`;
    const answer = await outbound.endpoint({ url, headers: {} }).post({ body: '{}' });
    expect(answer.status).toBe(200);
    await outbound.close();
    await server.close();
  });
});

describe('names that are not answered for', () => {
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
});
