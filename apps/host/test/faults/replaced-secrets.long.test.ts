import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { adminToken } from '@waiver-service/testing';
import {
  clientId,
  clientSecret,
  type Issuer,
  signInAtIssuer,
  startIssuer,
} from '@waiver-service/testing/issuer';
import { startMailServer } from '@waiver-service/testing/mail';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock, variablesOf } from '../harness/documented-blocks.ts';
import { runCommand } from '../harness/operator-command.ts';
import { startOwnPostgres } from '../harness/own-postgres.ts';
import type { Program } from '../harness/program.ts';
import { startRollingHosts } from '../harness/rolling-hosts.ts';

/** A PostgreSQL that asks users for passwords, with the database of the user `waivers`. */
async function startPasswordPostgres() {
  const server = await startOwnPostgres();
  onTestFinished(() => server.remove());
  const client = new Client({ connectionString: server.url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("CREATE ROLE waivers LOGIN PASSWORD 'former'");
  await client.query('CREATE DATABASE waivers OWNER waivers');
  const rules = join(dirname(server.tables()), 'pg_hba.conf');
  const before = readFileSync(rules, 'utf8');
  writeFileSync(rules, 'local waivers all scram-sha-256\n');
  appendFileSync(rules, before);
  await client.query('SELECT pg_reload_conf()');
  const url = (user: string, password: string) =>
    server.url.replace(/\/\/[^/]*\/[^?]*/, `//${user}:${encodeURIComponent(password)}@/waivers`);
  /** Runs a block of docs/operating.md, statement by statement. */
  const run = async (block: string) => {
    for (const statement of block.trim().split('\n')) await client.query(statement);
  };
  return { client, url, run };
}

/** Whether a person of the issuer gets in at a host. */
async function canSignIn(issuer: Issuer, host: Program): Promise<boolean> {
  const headers = { 'x-waiver-console': '1' };
  const begun = await host.call('POST', '/console/api/sign-in', {}, { token: null, headers });
  const cookie = begun.headers.getSetCookie().map((one) => one.split(';')[0]);
  const { pathname, search } = new URL(await signInAtIssuer(issuer, begun.body.url, 'mia'));
  const back = await fetch(`${host.url}${pathname}${search}`, {
    headers: { cookie: cookie.join('; ') },
    redirect: 'manual',
  });
  return back.headers.getSetCookie().some((one) => one.startsWith('__Host-waiver_service_session='));
}

test('the encryption key, the database password, the admin token, and those of issuer and mail server are changed under load: no failed request, nothing lost, nothing out of order', async () => {
  const { client, url, run } = await startPasswordPostgres();
  const passwords = new Set(['mail-1']);
  const mail = await startMailServer({
    authOptional: false,
    onAuth: ({ username, password }, _session, done) =>
      passwords.has(password ?? '') ? done(null, { user: username }) : done(new Error('wrong password')),
  });
  onTestFinished(() => mail.close());
  const BASE_URL = 'https://waivers.example';
  const issuer = await startIssuer([`${BASE_URL}/console/sign-in/callback`]);
  onTestFinished(() => issuer.close());
  const settings = {
    ...(await variablesOf(documentedBlock('docs/operating.md', 'export ADMIN_TOKEN='), ['ENCRYPTION_KEYS'])),
    DATABASE_URL: url('waivers', 'former'),
    SMTP_URL: `smtp://mailer:mail-1@127.0.0.1:${mail.port}`,
    ALERT_FROM: 'waivers@example.com',
    BASE_URL,
    OIDC_ISSUER: issuer.url,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_ROLES: JSON.stringify({
      claim: 'groups',
      scopes: ['groups'],
      values: { 'waiver-admins': { role: 'owner' } },
    }),
  };
  const scene = await startRollingHosts(2, undefined, settings);
  const done = async (method: string, path: string, body?: unknown) => {
    const [host] = scene.hosts;
    if (host === undefined) throw new Error('no host');
    return host.done(method, path, body);
  };

  // The encryption key: the new one at the end, then in front, then everything is encrypted with it, then the former one is removed.
  const former = settings.ENCRYPTION_KEYS;
  const { NEW_KEY, ENCRYPTION_KEYS } = await variablesOf(
    documentedBlock('docs/operating.md', 'NEW_KEY='),
    ['NEW_KEY', 'ENCRYPTION_KEYS'],
    { env: { ENCRYPTION_KEYS: former } },
  );
  expect(ENCRYPTION_KEYS).toBe(`${NEW_KEY},${former}`);
  scene.set({ ENCRYPTION_KEYS: `${former},${NEW_KEY}` });
  await scene.replaceAll();
  scene.set({ ENCRYPTION_KEYS });
  await scene.replaceAll();
  const rotated = await runCommand(['keys', 'rotate'], {
    ...settings,
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEYS,
  });
  expect(rotated).toMatchObject({ status: 0, stdout: expect.stringContaining('encrypts nothing any more') });
  scene.set({ ENCRYPTION_KEYS: NEW_KEY });
  await scene.replaceAll();

  // The database's password, by a second user.
  await run(documentedBlock('docs/operating.md', 'CREATE ROLE waivers_b'));
  scene.set({ DATABASE_URL: url('waivers_b', 'the new password') });
  await scene.replaceAll();
  const { rows } = await client.query(
    "SELECT usename, count(*) FROM pg_stat_activity WHERE datname = 'waivers' GROUP BY 1",
  );
  expect(rows.map(({ usename }) => usename)).toEqual(['waivers_b']);
  await run(documentedBlock('docs/operating.md', 'ALTER ROLE waivers NOLOGIN'));
  await expect(new Client({ connectionString: url('waivers', 'former') }).connect()).rejects.toThrow();

  // The admin token, and what issuer and mail server know.
  const alert = await done('POST', '/v1/admin/alerts', { name: 'Mail', email: 'ops@example.com' });
  const testAlert = async () =>
    expect(await done('POST', `/v1/admin/alerts/${alert.id}/test`)).toMatchObject({ ok: true });
  const signIns = () => Promise.all(scene.hosts.map((host) => canSignIn(issuer, host)));
  await testAlert();
  expect(await signIns()).toEqual([true, true]);
  passwords.add('mail-2');
  issuer.secrets.add('another-secret');
  scene.set({
    ADMIN_TOKEN: 'another-admin-token-of-the-tests',
    SMTP_URL: `smtp://mailer:mail-2@127.0.0.1:${mail.port}`,
    OIDC_CLIENT_SECRET: 'another-secret',
  });
  await scene.replaceAll();
  passwords.delete('mail-1');
  issuer.secrets.delete(clientSecret);
  await testAlert();
  expect(await signIns()).toEqual([true, true]);
  for (const host of scene.hosts) {
    const answer = await host.call('GET', '/v1/admin/me', undefined, { token: adminToken });
    expect(answer.status).toBe(401);
  }

  await scene.end({ 'secrets changed': 5 });
}, 600_000);
