import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { createTestDatabase, type TestDatabase } from '@waiver-service/store/testing';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HostBeside, startHostBeside } from './host-beside.ts';
import { outsidePlugin, writePlugin } from './outside-plugin.ts';
import { install, link, type PackedPackage, pack, publishedPackages } from './packing.ts';
import { repository, runIn } from './run.ts';

const packageFileSchema = z.looseObject({
  exports: z.record(z.string(), z.record(z.string(), z.string())),
  dependencies: z.record(z.string(), z.string()).optional(),
});
const readPackageFile = (name: string) =>
  packageFileSchema.parse(
    JSON.parse(readFileSync(join(repository, 'packages', name, 'package.json'), 'utf8')),
  );

// On a machine that has much else to do.
const patience = 180_000;

// Not below the repository: nothing of it may be found by looking upward.
let place: string;
let packages: PackedPackage[];
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'waiver-outside-'));
  const workspaces = publishedPackages.map((name) => `packages/${name}`);
  packages = await pack(join(place, 'tarballs'), repository, workspaces);
}, patience);
afterAll(() => rmSync(place, { recursive: true }));

describe.each(publishedPackages)('the package %s', (name) => {
  const packed = () => {
    const found = packages.find((one) => one.name === `@waiver-service/${name}`);
    if (found === undefined) throw new Error(`${name} was not packed`);
    return found;
  };

  test('has nothing that publint would warn of', async () => {
    const { buffer } = new Uint8Array(readFileSync(packed().tarball));
    const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test('holds each file that its exports name, the condition of this repository included', () => {
    const targets = Object.values(readPackageFile(name).exports).flatMap((entry) => Object.values(entry));
    expect(targets.length).toBeGreaterThanOrEqual(3);
    expect(packed().files).toEqual(expect.arrayContaining(targets.map((target) => target.replace('./', ''))));
  });

  test('holds sources, build, README and licence, and nothing else', () => {
    const others = packed().files.filter(
      (path) => !/^(src|dist)\/|^(package\.json|README\.md|LICENSE)$/.test(path),
    );
    expect(others).toEqual([]);
    expect(packed().files).toEqual(expect.arrayContaining(['README.md', 'LICENSE']));
  });
});

describe('a plugin that was written outside, against the packed packages', () => {
  const folderOf = (installName: string) => join(place, 'elsewhere', `waiver-service-plugin-${installName}`);
  const modules = () => join(place, 'node_modules');

  beforeAll(async () => {
    for (const packed of packages) await install(modules(), packed);
    for (const name of publishedPackages) {
      const others = Object.keys(readPackageFile(name).dependencies ?? {});
      for (const other of others) {
        if (!other.startsWith('@waiver-service/')) link(modules(), other, `packages/${name}`);
      }
    }
    link(modules(), '@types/node', 'packages/core');
    const written = { outside: outsidePlugin('outside'), future: outsidePlugin('future', 'v9') };
    for (const [installName, files] of Object.entries(written)) {
      for (const [path, text] of Object.entries(files)) {
        const file = join(folderOf(installName), path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
  }, patience);

  test.each(['outside', 'future'])(
    '%s compiles: the types of the packages are whole',
    async (installName) => {
      const { status, output } = await runIn(folderOf(installName), 'tsc', '-p', '.', '--pretty', 'false');
      expect(output).toBe('');
      expect(status).toBe(0);
    },
    patience,
  );

  test(
    'keeps the contract by the packed suite',
    async () => {
      const { status, output } = await runIn(folderOf('outside'), 'vitest', 'run');
      expect(output).toMatch(/Tests {2}(\d{2,}) passed/);
      expect(status, output).toBe(0);
    },
    patience,
  );

  describe('packed, and installed beside a host', () => {
    let host: HostBeside;
    let database: TestDatabase;
    let system: SimulatedBookingSystem;
    const token = 'admin-token-of-the-outside-test';
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${host.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };

    beforeAll(async () => {
      for (const installName of ['outside', 'future']) {
        const [packed] = await pack(join(place, 'tarballs'), folderOf(installName));
        if (packed === undefined) throw new Error('npm packed nothing');
        await install(modules(), packed);
        expect(existsSync(join(modules(), packed.name, 'src'))).toBe(false);
      }
      database = await createTestDatabase();
      system = await startBookingSystem({
        authHeaderName: 'x-outside',
        apiKey: 'k',
        pathShape: 'query',
        form: 'legacy',
      });
      writePlugin(modules(), 'prying');
      writePlugin(modules(), 'unlisted');
      host = await startHostBeside(place, {
        PLUGINS: ['outside', 'future', 'prying'].map((name) => `waiver-service-plugin-${name}`).join(', '),
        DATABASE_URL: database.url,
        ADMIN_TOKEN: token,
        ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 7).toString('base64')}`,
        OUTBOUND_ALLOW: '127.0.0.0/8',
      });
    }, patience);
    afterAll(async () => {
      await host?.stop();
      await system?.close();
      await database?.drop();
    });

    test('is found and listed, with the plugins that the host brings', async () => {
      const { status, body } = await call('GET', '/v1/admin/booking-systems');
      expect(status).toBe(200);
      const names = body.items.map(({ installName }: { installName: string }) => installName);
      expect(names).toEqual(expect.arrayContaining(['outside', 'standard', 'standard-query']));
      expect(names).not.toContain('future');
    });

    test('is not run where PLUGINS does not list it, and the log names it', async () => {
      const { body } = await call('GET', '/v1/admin/booking-systems');
      const names = body.items.map(({ installName }: { installName: string }) => installName);
      expect(names).not.toContain('unlisted');
      expect(host.log()).toContain('The plugin waiver-service-plugin-unlisted is installed and not loaded');
    });

    test('finds none of the host’s secrets in the environment', async () => {
      const { body } = await call('GET', '/v1/admin/booking-systems/prying');
      expect(body.displayName).toBe('sees PORT');
    });

    test('reads a booking, and its errors are understood although it has its own copy of core', async () => {
      await call('PUT', '/v1/admin/booking-systems/outside', { baseUrl: system.url });
      await call('PUT', '/v1/admin/pools/p', { name: 'P' });
      await call('PUT', '/v1/admin/pools/p/installations/outside', { accountId: 1, apiKey: 'k' });
      const [booking] = system.bookings.all;
      const read = await call('GET', `/v1/pools/p/bookings/${booking?.id}`);
      expect([read.status, read.body.booking?.id]).toEqual([200, booking?.id]);
      const never = await call('GET', '/v1/pools/p/bookings/NEVER');
      expect([never.status, never.body.code]).toEqual([404, 'booking_not_found']);
    });

    test('one for an interface that the host does not know is left out, and the log says what to do', async () => {
      expect(host.log()).toContain(
        'The plugin waiver-service-plugin-future is not used: its specificationVersion is \\"v9\\"; this host ' +
          'supports v1: install a version of the plugin that is made for v1, or a host that supports \\"v9\\".',
      );
      expect(host.log()).not.toContain('waiver-service-plugin-outside');
    });
  });
});
