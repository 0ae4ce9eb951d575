import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBookingSystem } from '@waiver-service/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCommand, UsageError } from '../src/options.ts';
import { describeLogLine } from '../src/serve.ts';

/** A certificate that signed itself, for localhost and 127.0.0.1, and its key, for tests. */
const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUWs+TiSE/Fx9gMIo3t+od2EPBk3YwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAyNDMyNloYDzIxMjYxMDI5
MDI0MzI2WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQOoJOMOmyBAioqJNz+BhW4On7cbHrMqQIDIVKJav7l4DYOoJ0F15Ly
np8jSHY+lc6GbIRRNjgbsWnwNtnGQOnoo28wbTAdBgNVHQ4EFgQUAoYFh82YFU6H
tdM6uCI56I1baQEwHwYDVR0jBBgwFoAUAoYFh82YFU6HtdM6uCI56I1baQEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgft8foM618pov3iRmZgFBQxvtpsIYiEXFNWpbznM1GeUCIQDm
zpiNsFQMNxIT2QNZkCWt2x1POaQ6GZFEb4Q1579LqQ==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwuvZncZ0pMA0pYkn
QITmIX3/C7G88gwnu4EaHhorXw2hRANCAAQOoJOMOmyBAioqJNz+BhW4On7cbHrM
qQIDIVKJav7l4DYOoJ0F15Lynp8jSHY+lc6GbIRRNjgbsWnwNtnGQOno
-----END PRIVATE KEY-----`,
};

const longTest = test.runIf(process.env.WAIVER_SERVICE_FAULTS === 'long');

const program = join(import.meta.dirname, '../bin/waiver-service.js');

async function command(args: readonly string[], apiKey?: string, more: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...process.env, NO_COLOR: '1', WAIVER_SERVICE_API_KEY: apiKey, ...more },
  });
  const output = { standard: '', error: '' };
  child.stdout.on('data', (chunk) => {
    output.standard += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.error += chunk;
  });
  const [status] = await once(child, 'close');
  return { status, ...output };
}

describe('a certificate that signed itself', () => {
  test('is named with what to set, and that helps', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'waiver-service-certificate-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'certificate.pem');
    writeFileSync(file, selfSigned.cert);
    const server = createServer(selfSigned, (_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"success":false,"message":"no"}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['check', address, '--booking', 'BK-1001'];

    const refused = await command(args, 'k-123456');
    expect(refused.status).toBe(1);
    expect(refused.standard).toMatch(
      /certificate that is not trusted here \(self-signed certificate.*NODE_EXTRA_CA_CERTS/,
    );
    const trusted = await command(args, 'k-123456', { NODE_EXTRA_CA_CERTS: file });
    expect(trusted.standard).toContain('found:  status 404');
  });
});

describe('the command', () => {
  test('names the missing option, with exit status 2', async () => {
    const wrong = await command(['check', 'https://api.example.com', '--booking', 'B']);
    expect(wrong).toMatchObject({ status: 2 });
    expect(wrong.error).toContain('WAIVER_SERVICE_API_KEY is not set');
  });

  longTest('reports as JSON, with an exit status for a pipeline', async () => {
    const system = await startBookingSystem({
      authHeaderName: 'api-key',
      apiKey: 'k-123456',
      pathShape: 'path',
      form: 'current',
    });
    try {
      const good = await command(['check', system.url, '--booking', 'BK-1001', '--json'], 'k-123456');
      expect(JSON.parse(good.standard)).toMatchObject({ ok: true, bookingApi: system.url });
      expect(good.status).toBe(0);
      const bad = await command(['check', system.url, '--booking', 'BK-9'], 'k-123456');
      expect(bad.status).toBe(1);
      expect(bad.standard).toContain('✘ read/answer');
      expect(bad.standard).toContain('change: name a booking that is there');
    } finally {
      await system.close();
    }
  });

  longTest('explains itself', async () => {
    expect(await command(['--help'])).toMatchObject({
      status: 0,
      standard: expect.stringContaining('--booking <id>'),
    });
  });
});

describe('a command line', () => {
  test.each([
    [['frobnicate'], /there is: check/],
    [['check', 'ftp://example.com', '--booking', 'B'], /no http or https address/],
    [['check', 'https://example.com/?key=1', '--booking', 'B'], /may not have a query/],
    [['check', 'https://example.com'], /--booking/],
    [['check', 'https://example.com', '--booking', '..'], /--booking/],
    [['check', 'https://example.com', '--booking', 'B', '--auth-header', 'api key'], /--auth-header/],
    [['check', 'https://example.com', '--booking', 'B', '--path-shape', 'round'], /--path-shape/],
    [['check', 'https://example.com', '--booking', 'B', '--timeout', '0'], /--timeout/],
    [['check', 'https://example.com', '--booking', 'B', '--colour'], /--colour/],
    [
      ['check', 'https://one.example.com', 'https://two.example.com', '--booking', 'B'],
      /more than one address/,
    ],
    [['check', '--serve', '--port', '99999'], /--port/],
  ])('%j is refused', (args, reason) => {
    expect(() => readCommand(args, { WAIVER_SERVICE_API_KEY: 'key' })).toThrow(UsageError);
    expect(() => readCommand(args, { WAIVER_SERVICE_API_KEY: 'key' })).toThrow(reason);
  });
});

describe('what the served waiver service shows', () => {
  test.each([
    [
      { msg: 'request answered', method: 'POST', path: '/integration/install/standard', status: 200 },
      'received  POST /integration/install/standard → 200',
    ],
    [
      {
        msg: 'request answered',
        method: 'POST',
        path: '/integration/install/standard',
        status: 401,
        code: 'unauthorized',
      },
      'received  POST /integration/install/standard → 401 unauthorized',
    ],
    [
      {
        msg: 'delivery attempted',
        kind: 'guest-update',
        waiverId: 'W',
        outcome: 'refused',
        status: 503,
        errorCode: 'http_status',
      },
      'sent      guest-update of waiver W → refused (503 http_status)',
    ],
    [{ msg: 'request answered', method: 'GET', path: '/healthz', status: 200 }, undefined],
    [{ msg: 'anything else' }, undefined],
  ])('%#', (line, shown) => {
    expect(describeLogLine(JSON.stringify(line))).toBe(shown);
  });
  test('nothing where the line is no JSON', () => {
    expect(describeLogLine('oops')).toBeUndefined();
  });
});

test('an older Node.js says which one the published commands need', () => {
  const published = mkdtempSync(join(tmpdir(), 'waiver-service-check-'));
  onTestFinished(() => rmSync(published, { recursive: true }));
  cpSync(join(import.meta.dirname, '../bin'), join(published, 'bin'), { recursive: true });
  writeFileSync(join(published, 'package.json'), '{"type":"module"}');
  const older =
    'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "20.20.2" } })';
  for (const name of ['waiver-service', 'waiver-service-check']) {
    const words = ['--import', older, join(published, `bin/${name}.js`), '--help'];
    const { status, stderr } = spawnSync(process.execPath, words);
    expect([status, stderr.toString()]).toEqual([
      1,
      'waiver-service needs Node.js 24 or newer, and this is 20.20.2.\n',
    ]);
  }
});

test('a partner installs against the served waiver service, and sees that it was received; nothing is left behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-serve-'));
  chmodSync(folder, 0o755);
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const child = spawn(process.execPath, [program, 'check', '--serve', '--path-shape', 'query'], {
    env: { ...process.env, NO_COLOR: '1', TMPDIR: folder },
  });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const shown = (text: string) => expect.poll(() => output).toContain(text);
  try {
    await shown('What it receives and sends:');
    const [, url = '', body = ''] =
      /POST (\S+\/integration\/install\/standard-query) .*-d '(.*)'/.exec(output) ?? [];
    const installed = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(await installed.json()).toMatchObject({ success: true });
    await shown('received  POST /integration/install/standard-query → 200');
  } finally {
    child.kill('SIGINT');
  }
  expect(await closed).toEqual([0, null]);
  // Neither there nor where root's PostgreSQL goes when it cannot enter a folder.
  const databasesElsewhere = globSync('/var/lib/waiver-service/*/data-folder');
  expect(databasesElsewhere.filter((file) => readFileSync(file, 'utf8').includes(folder))).toEqual([]);
  expect(readdirSync(folder).filter((name) => name.startsWith('waiver-service'))).toEqual([]);
});
