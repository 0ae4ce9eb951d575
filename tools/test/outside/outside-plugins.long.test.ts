import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@waiver-service/database/testing';
import { type SpawnedHost, spawnHost } from '@waiver-service/host/process';
import { type SimulatedBookingSystem, startBookingSystem } from '@waiver-service/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OutsidePlace, openOutsidePlace } from '../../src/outside/outside-place.ts';

/** Writes a plugin into a `node_modules`. `more` are fields that replace those of `defineBookingSystem`. */
function writePlugin(modules: string, installName: string, displayName: string, more = ''): string {
  const folder = join(modules, `waiver-service-plugin-${installName}`);
  mkdirSync(folder);
  const packageFile = {
    name: `waiver-service-plugin-${installName}`,
    type: 'module',
    exports: './index.js',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageFile));
  writeFileSync(
    join(folder, 'index.js'),
    `
import { BookingNotFound } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';

const plugin = defineBookingSystem({
  installName: '${installName}',
  displayName: ${displayName},
  contract: { authHeaderName: 'x-key', pathShape: 'query', guestId: 'none' },
});
export default { ...plugin, ${more} };
`,
  );
  return folder;
}

/** Plugins for a host to load, by install name, each with one peculiarity. */
const writtenPlugins: Readonly<Record<string, (modules: string) => void>> = {
  /** Reports in its name which settings it sees when loaded. */
  prying: (modules) => {
    const settings = "['ADMIN_TOKEN', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT']";
    const seen = `${settings}.filter((name) => process.env[name] !== undefined)`;
    writePlugin(modules, 'prying', `'sees ' + ${seen}.join(' ')`);
  },
  /** Made for an interface version that the host does not know. */
  future: (modules) => {
    writePlugin(modules, 'future', "'From the future'", "specificationVersion: 'v9'");
  },
  /** Not listed in PLUGINS. */
  unlisted: (modules) => {
    writePlugin(modules, 'unlisted', "'Unlisted'");
  },
  /** Throws an error from its own copy of core. */
  nested: (modules) => {
    const folder = writePlugin(
      modules,
      'nested',
      "'With its own core'",
      "fetchBooking: async () => { throw new BookingNotFound('there is never a booking'); }",
    );
    const core = '@waiver-service/core';
    cpSync(join(modules, core), join(folder, 'node_modules', core), { recursive: true });
  },
};

// Enough on a busy machine.
const patience = 180_000;
const apiKey = 'key-of-the-account';

let place: OutsidePlace;
let system: SimulatedBookingSystem;
beforeAll(async () => {
  place = await openOutsidePlace();
  system = await startBookingSystem({
    authHeaderName: 'x-outside',
    apiKey,
    pathShape: 'query',
    form: 'legacy',
  });
}, patience);
afterAll(() => Promise.all([place?.close(), system?.close()]));

const folderOf = (installName: string) => `waiver-service-plugin-${installName}`;
const npmCreate = ['create', 'waiver-service-plugin@latest'] as const;

/** Runs npm, and returns its output. */
async function npm(folder: string, ...words: readonly string[]): Promise<string> {
  const { status, output } = await place.run(place.folder(folder), ['npm', ...words]);
  expect(status, output).toBe(0);
  return output;
}

/** Follows the created package's README: create, install, test. The guides cover a vendor's own API. */
async function create(installName: string, ...options: readonly string[]): Promise<string> {
  const started = performance.now();
  await npm('.', ...npmCreate, installName, '--', ...options);
  await npm(folderOf(installName), 'install');
  const said = await npm(folderOf(installName), 'test');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${installName}: ${seconds} s from npm create to passing tests`);
  return said;
}

describe('where there is no clone', () => {
  test(
    'npm create makes a plugin whose tests pass, which compiles and can be packed',
    async () => {
      const options = ['--auth-header-name', 'x-outside', '--path-shape', 'query', '--guest-id', 'none'];
      expect(await create('outside', ...options)).toMatch(/Tests {2}\d{3} passed/);
      await npm(folderOf('outside'), 'run', 'check');
      await npm(folderOf('outside'), 'pack');
    },
    patience,
  );

  test('its tests fail if quality.json says that a rule is done which none of them shows', async () => {
    const folder = place.folder(folderOf('outside'));
    const path = join(folder, 'quality.json');
    const quality = readFileSync(path, 'utf8');
    writeFileSync(path, quality.replace(/"traps": \{[^}]*\}/, '"traps": { "state": "done" }'));
    const { status, output } = await place.run(folder, ['npm', 'test']);
    writeFileSync(path, quality);
    expect(output).toContain(
      `${folderOf('outside')}: quality.json says that traps is done, but no test of test/traps.test.ts passed`,
    );
    expect(status).toBe(1);
  });

  test('npm create says what is wrong with a name, and how it is called', async () => {
    const { status, output } = await place.run(place.folder('.'), ['npm', ...npmCreate, 'A!']);
    expect(status).toBe(2);
    expect(output).toMatch(/"A!" is no install name.*--display-name <name>/s);
  });

  test(
    'npx checks a booking system, and says what --serve needs',
    async () => {
      const check = ['npm', 'exec', '--', 'waiver-service-check'] as const;
      const empty = place.folder('empty');
      const options = [
        '--auth-header',
        'x-outside',
        '--path-shape',
        'query',
        '--guest-id',
        'none',
        '--write',
      ];
      const words: [string, ...string[]] = [
        ...check,
        system.url,
        '--booking',
        String(system.bookings.all[0]?.id),
        ...options,
      ];
      const checked = await place.run(empty, words, { WAIVER_SERVICE_API_KEY: apiKey });
      expect(checked.output).toMatch(/\d{2} clauses hold, 0 do not/);
      expect(checked.status).toBe(0);
      const served = await place.run(empty, [...check, '--serve']);
      expect(served.output).toContain('@waiver-service/host is not installed beside waiver-service-check');
      expect(served.status).toBe(2);
    },
    patience,
  );

  describe('installed beside a host', () => {
    let host: SpawnedHost;
    let url: string;
    let log = '';
    let database: TestDatabase;
    const installed = () => place.folder('host');
    const token = 'admin-token-of-the-outside-test';
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    };

    beforeAll(async () => {
      const tarball = `../${folderOf('outside')}/${folderOf('outside')}-0.1.0.tgz`;
      // The test has its own database: the binaries of an embedded one are optional.
      await npm('host', 'install', '--omit=optional', '@waiver-service/host', tarball);
      const modules = join(installed(), 'node_modules');
      for (const write of Object.values(writtenPlugins)) write(modules);
      database = await createTestDatabase();
      const { PATH, HOME } = process.env;
      host = spawnHost({
        program: join(modules, '@waiver-service/host/dist/main.js'),
        environment: { PATH, HOME },
        settings: {
          PLUGINS: ['outside', 'future', 'prying', 'nested'].map(folderOf).join(', '),
          DATABASE_URL: database.url,
          ADMIN_TOKEN: token,
          ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 7).toString('base64')}`,
          OUTBOUND_ALLOW: '127.0.0.0/8',
        },
        log: (line) => {
          log += `${line}\n`;
        },
      });
      url = await host.listening;
      for (const pool of ['outside', 'nested']) {
        await call('PUT', `/v1/admin/booking-systems/${pool}`, { baseUrl: system.url });
        await call('PUT', `/v1/admin/pools/${pool}`, { name: pool });
        const account = { accountId: 1, apiKey };
        await call('PUT', `/v1/admin/pools/${pool}/installations/${pool}`, account);
      }
    }, patience);
    afterAll(async () => {
      await host?.stop();
      await database?.drop();
    });

    test('the plugin is listed, with those that the host brings', async () => {
      const { status, body } = await call('GET', '/v1/admin/booking-systems');
      expect(status).toBe(200);
      const names = body.items.map(({ installName }: { installName: string }) => installName);
      expect(names).toEqual(expect.arrayContaining(['outside', 'standard', 'standard-query']));
      expect(names).not.toContain('future');
      expect(names).not.toContain('unlisted');
    });

    test('it reads a booking, with the copy of core that the host has', async () => {
      const [booking] = system.bookings.all;
      const read = await call('GET', `/v1/pools/outside/bookings/${booking?.id}`);
      expect([read.status, read.body.booking?.id]).toEqual([200, booking?.id]);
      const copies = globSync('**/node_modules/@waiver-service/core', { cwd: installed() });
      expect(copies.toSorted()).toEqual([
        'node_modules/@waiver-service/core',
        'node_modules/waiver-service-plugin-nested/node_modules/@waiver-service/core',
      ]);
    });

    test('one that PLUGINS does not list is not run, and the log names it', () => {
      expect(log).toContain('The plugin waiver-service-plugin-unlisted is installed and not loaded');
    });

    test('one that looks into the environment finds none of the host’s secrets', async () => {
      const { body } = await call('GET', '/v1/admin/booking-systems/prying');
      expect(body.displayName).toBe('sees PORT');
    });

    test('the errors of one with its own copy of core are understood', async () => {
      const never = await call('GET', '/v1/pools/nested/bookings/BK-1001');
      expect([never.status, never.body.code]).toEqual([404, 'booking_not_found']);
    });

    test('one for an interface that the host does not know is left out, and the log says what to do', () => {
      expect(log).toContain(
        'The plugin waiver-service-plugin-future is not used: its specificationVersion is \\"v9\\"; this host ' +
          'supports v1: install a version of the plugin that is made for v1, or a host that supports \\"v9\\".',
      );
      expect(log).not.toContain('waiver-service-plugin-outside');
    });
  });
});
