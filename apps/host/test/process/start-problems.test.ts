import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UnsuitableDatabase } from '@waiver-service/database';
import { createTestDatabase } from '@waiver-service/database/testing';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@waiver-service/embedded-postgres';
import { adminToken, listenLocally, longTest, openRawConnection } from '@waiver-service/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHost } from '../../src/composition/create-host.ts';
import { readSettings } from '../../src/settings/read-settings.ts';
import { databaseProblem } from '../../src/settings/start-problem.ts';
import { spawnHost } from '../harness/program.ts';
import { encryptionKeys } from '../harness/test-host.ts';

const secrets = { ADMIN_TOKEN: adminToken, ENCRYPTION_KEYS: encryptionKeys };
const password = 'planted-password';

/** Why a host does not start. */
async function refusalOf(variables: Record<string, string>): Promise<string> {
  const settings = readSettings({ PORT: '0', ...variables });
  const { message } = await createHost(settings, { logger: pino({ level: 'silent' }) }).then(
    () => expect.fail('the host starts'),
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  expect(message).not.toContain(password);
  return message;
}

const refusalOfDatabase = (url: string) => refusalOf({ ...secrets, DATABASE_URL: url });

async function listening(server: Server): Promise<number> {
  onTestFinished(() => void server.close());
  return listenLocally(server);
}

describe('a database that cannot be used', () => {
  const at = (port: number | string) => `postgres://u:${password}@127.0.0.1:${port}/x`;

  test('nothing listens', async () => {
    expect(await refusalOfDatabase(at(1))).toMatch(
      /^DATABASE_URL: nothing takes connections at 127\.0\.0\.1:1 .+$/,
    );
  });

  test('a web server listens there', async () => {
    const port = await listening(createHttpServer((_request, response) => void response.end()));
    expect(await refusalOfDatabase(at(port))).toMatch(/DATABASE_URL: .*does not answer as PostgreSQL does/);
  });

  longTest('the listener does not speak PostgreSQL’s protocol', async () => {
    const port = await listening(
      createServer((socket) => void socket.on('error', () => {}).write('SSH-2.0-x\r\n')),
    );
    expect(await refusalOfDatabase(at(port))).toMatch(/DATABASE_URL: there is no answer.*not be PostgreSQL/);
  });

  test('a name that is not there', async () => {
    expect(await refusalOfDatabase(`postgres://u:${password}@nowhere.invalid/x`)).toMatch(
      /DATABASE_URL: .*name.* nowhere\.invalid/,
    );
  });

  test('a socket that is not there', async () => {
    expect(await refusalOfDatabase('postgres://u@/x?host=/nowhere')).toMatch(
      /DATABASE_URL: there is no socket \/nowhere\//,
    );
  });

  test('an address that cannot be read', async () => {
    expect(await refusalOfDatabase(at(99_999))).toMatch(/DATABASE_URL: it cannot be read as an address/);
  });
});

describe('a PostgreSQL that refuses', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'waiver-refusing-'));
    // The database's user must be able to pass through, where the tests run as root.
    chmodSync(dataDir, 0o711);
    const first = await startEmbeddedPostgres({ dataDir, onMessage: () => {} });
    const connection = await openRawConnection(first.url);
    await connection?.run(`create role visitor login password '${password}'`);
    await connection?.run('create role stranger login');
    await connection?.run('create database visited');
    await connection?.run("create role newcomer login password 'x'");
    await connection?.run('create role crowd login connection limit 0');
    await connection?.run('create database private');
    await connection?.run('revoke connect on database private from public');
    await connection?.run('create database closed allow_connections false');
    await connection?.run('create database bare');
    connection?.end();
    const bare = await openRawConnection(first.url.replace('@/postgres', '@/bare'));
    await bare?.run('revoke all on schema public from public');
    bare?.end();
    await first.stop();
    const rules = join(first.dataDir, 'postgres-18', 'pg_hba.conf');
    const lines = [
      'local all visitor scram-sha-256',
      'local all stranger reject',
      readFileSync(rules, 'utf8'),
    ];
    writeFileSync(rules, lines.join('\n'));
    server = await startEmbeddedPostgres({ dataDir, onMessage: () => {} });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true });
  });
  const as = (user: string, database: string) =>
    server.url.replace(/\/\/[^@]+@\/postgres/, () => `//${user}@/${database}`);

  test.each([
    ['a wrong password', `visitor:not-${password}`, 'visited', /does not accept the user or the password/],
    ['no password', 'visitor', 'visited', /asks for a password, and there is none/],
    ['a user that may not come in', 'stranger', 'visited', /does not let this user in/],
    ['no such database', 'waiver_service', 'nowhere', /no such database/],
    [
      'a user that may not make tables',
      `visitor:${password}`,
      'visited',
      /may not do what the service needs/,
    ],
    ['a user without a schema', 'newcomer', 'bare', /has no schema to use .*GRANT CREATE, USAGE ON SCHEMA/],
    ['a user that may not connect', 'newcomer', 'private', /may not do what .*GRANT CONNECT ON DATABASE/],
    ['no connection free', 'crowd', 'visited', /no connection free .*CONNECTION LIMIT/],
    ['a closed database', 'newcomer', 'closed', /the database accepts no connections .*ALLOW_CONNECTIONS/],
  ])('%s', async (_what, user, database, sentence) => {
    const refusal = await refusalOfDatabase(as(user, database));
    expect(refusal).toMatch(/^DATABASE_URL: .+$/);
    expect(refusal).toMatch(sentence);
  });

  test.each([
    ['TLS, which the server does not take', '&sslmode=verify-full', /the server takes no TLS/],
    [
      'a setting that PostgreSQL does not have',
      '&options=-c%20nothing.at=1%20-c%20nowhere=1',
      /refuses the connection/,
    ],
  ])('%s', async (_what, parameters, sentence) => {
    const refusal = await refusalOfDatabase(`${as(`visitor:${password}`, 'visited')}${parameters}`);
    expect(refusal).toMatch(/^DATABASE_URL: .+$/);
    expect(refusal).toMatch(sentence);
  });

  // It is on few machines; Debian has it.
  describe.skipIf(spawnSync('pgbouncer', ['--version']).status !== 0)('behind PgBouncer', () => {
    async function refusalBehind(...settings: readonly string[]): Promise<string> {
      const folder = join(dataDir, `pooler-${settings.length}`);
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      const socket = new URL(server.url.replace('@/', '@localhost/')).searchParams.get('host') ?? '';
      const file = join(folder, 'pgbouncer.ini');
      const databases = ['[databases]', `* = host=${socket} user=waiver_service`];
      const pooler = ['[pgbouncer]', 'listen_port = 6432', `unix_socket_dir = ${folder}`, 'auth_type = any'];
      writeFileSync(file, [...databases, ...pooler, ...settings, ''].join('\n'));
      // The socket of the server is that of its user.
      const user = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
      const child = spawn('pgbouncer', [...user, file], { stdio: 'ignore' });
      onTestFinished(() => void child.kill());
      await vi.waitFor(() => expect(existsSync(join(folder, '.s.PGSQL.6432'))).toBe(true), 10_000);
      return refusalOfDatabase(`postgres://waiver_service:${password}@/postgres?host=${folder}&port=6432`);
    }

    test('one that does not take our settings of a connection', async () => {
      expect(await refusalBehind('pool_mode = session')).toMatch(
        /^DATABASE_URL: .*pooler .*unsupported startup parameter.*$/,
      );
    });

    test.each([
      ['last used', []],
      ['used least', ['server_round_robin = 1', 'min_pool_size = 3']],
    ])('one that hands out the session %s for each transaction', async (_which, pools) => {
      const ignored = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout';
      expect(await refusalBehind('pool_mode = transaction', ignored, ...pools)).toMatch(
        /^DATABASE_URL: a connection pooler hands out transactions there .*pool_mode = session\.$/,
      );
    });
  });
});

test.each([
  [new UnsuitableDatabase('too old'), 'DATABASE_URL: too old.'],
  [
    Object.assign(new Error('no pg_hba.conf entry for host "h", no encryption'), { code: '28000' }),
    /DATABASE_URL: .*sslmode=verify-full/,
  ],
  [Object.assign(new Error('handshake failure'), { code: 'ERR_SSL_X' }), /DATABASE_URL: no TLS connection/],
])('a sentence for %s', (cause, sentence) => {
  expect(databaseProblem(cause)).toMatchObject({ message: expect.stringMatching(sentence) });
});

describe('a folder that cannot be used', () => {
  test
    .runIf(process.platform === 'linux')
    .each(['/proc/x', '/proc/x/y', '/sys/x', '/dev/null/x', '/etc/passwd'])('DATA_DIR=%s', async (folder) => {
    expect(await refusalOf({ DATA_DIR: folder })).toMatch(
      new RegExp(`^DATA_DIR: ${folder} .*cannot be used: .+$`),
    );
  });
});

describe('an address that cannot be listened on', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'waiver-port-'));
    chmodSync(dataDir, 0o711);
  });
  afterAll(() => rmSync(dataDir, { recursive: true }));

  test('a port that is taken', async () => {
    const port = await listening(createServer());
    expect(await refusalOf({ DATA_DIR: dataDir, PORT: String(port) })).toBe(
      `PORT: another program listens on port ${port} of 127.0.0.1 already. End that one, or set PORT to a free port (0 takes any).`,
    );
  });

  test('an address of another machine', async () => {
    const refusal = await refusalOf({
      DATA_DIR: dataDir,
      HOST: '192.0.2.1',
      BASE_URL: 'https://w.example.com',
    });
    expect(refusal).toBe('HOST: 192.0.2.1 is no address of this machine.');
  });
});

test('a variable that is no setting is ignored, and its value is not logged', async () => {
  const host = spawnHost({
    DATABASE_URI: `postgres://u:${password}@h/x`,
    LOG_LEVEL: 'warn',
    PORT: '1',
    HOST: '192.0.2.1',
    BASE_URL: 'https://w.example.com',
    DATA_DIR: '/etc/passwd',
  });
  expect(await host.ended).toBe(1);
  expect(host.stdout()).toBe('');
  expect(host.stderr()).toMatch(/^The host could not start: DATA_DIR: \/etc\/passwd .+$/m);
  expect(host.stderr()).not.toContain(password);
});

test('encryption keys that are not those of the database', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const variables = { ADMIN_TOKEN: adminToken, DATABASE_URL: database.url, PORT: '0' };
  const start = async (keys: string) => {
    const settings = readSettings({ ...variables, ENCRYPTION_KEYS: keys });
    const host = await createHost(settings, { logger: pino({ level: 'silent' }) });
    await host.close();
  };
  await start(encryptionKeys);
  const others = `other:${Buffer.alloc(32, 3).toString('base64')}`;
  expect(await refusalOf({ ...variables, ENCRYPTION_KEYS: others })).toMatch(
    /^ENCRYPTION_KEYS are not those of this database .+ Start with the keys .+$/,
  );
  await start(`${others},${encryptionKeys}`);
});

test('a plugin in PLUGINS that is not installed', async () => {
  const variables = { ...secrets, DATABASE_URL: 'postgres://u@127.0.0.1:1/x' };
  expect(await refusalOf({ ...variables, PLUGINS: 'waiver-service-plugin-nowhere' })).toMatch(
    /^PLUGINS lists waiver-service-plugin-nowhere, which is not installed .+$/,
  );
});
