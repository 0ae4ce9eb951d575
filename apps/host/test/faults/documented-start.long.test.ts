import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@waiver-service/database/testing';
import { textAt, until } from '@waiver-service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { documentedBlock, runInShell } from '../harness/documented-blocks.ts';
import { builtProgram, freePort } from '../harness/program.ts';
import { startTestHost } from '../harness/test-host.ts';

test('the first commands of the page generate secrets and start a host with them', async () => {
  const database = await createTestDatabase({ empty: true });
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-start-'));
  onTestFinished(async () => {
    await database.drop();
    rmSync(folder, { recursive: true });
  });
  const [port, operationsPort] = [await freePort(), await freePort()];
  const secrets = documentedBlock('docs/operating.md', 'export ADMIN_TOKEN=');
  const start = documentedBlock('docs/operating.md', 'npm ci\nBASE_URL=')
    .replace('PORT=8080', `PORT=${port}`)
    .replace('OPERATIONS_PORT=9090', `OPERATIONS_PORT=${operationsPort}`)
    .replace('postgres://user:password@db.example.com:5432/waivers', `'${database.url}'`);
  // Whatever `npm ci` installs and `npm start` builds first is there: it runs this test.
  const npm = `npm() { case "$1" in ci) ;; start) exec '${process.execPath}' '${builtProgram}';; *) false;; esac; }`;
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${operationsPort}/readyz`).catch(() => undefined);
    return answer?.status === 200;
  };
  expect(spawnSync('mkfifo', [join(folder, 'ready')]).status).toBe(0);
  const running = runInShell(
    `${secrets}\n${npm}\n(${start}) > host.out 2>&1 & host=$!\nread -r < ready\nkill -TERM $host\nwait $host\ncat host.out`,
    { cwd: folder },
  );
  await Promise.race([until(ready, 'the host to be ready', 60_000), running]);
  const page = await fetch(`http://127.0.0.1:${port}/docs`);
  writeFileSync(join(folder, 'ready'), 'yes\n');
  expect(page.status).toBe(200);
  expect(await running).toContain('listening on http');
});

// On few machines.
const hasJq = spawnSync('jq', ['--version']).status === 0;

test('the commands for the log find the requests of a pool and the attempts of a delivery', async (context) => {
  if (!hasJq) return context.skip('jq is not installed');
  const host = await startTestHost();
  onTestFinished(() => host.close());
  const { accessToken } = await host.preparePool('rafting');
  const webhook = { url: 'http://127.0.0.1:9/', auth: { type: 'none' } };
  await host.call('POST', '/v1/admin/pools/rafting/webhooks', webhook);
  const waiver = { id: 'W-1', answers: { name: 'Ada' } };
  const signed = await host.call('POST', '/v1/pools/rafting/waivers', waiver, { token: accessToken });
  expect(signed.status).toBe(201);
  await host.call('PUT', '/v1/admin/booking-systems/standard', { baseUrl: 'http://127.0.0.1:9/' });
  await host.call('PUT', '/v1/admin/pools/rafting/installations/standard', { accountId: 1, apiKey: 'key' });
  const read = await host.call('GET', '/v1/pools/rafting/bookings/B-1', undefined, { token: accessToken });
  expect(read.status).toBeGreaterThanOrEqual(500);
  const attempts = () => host.lines.filter((line) => line.includes('"delivery attempted"'));
  await until(() => attempts().length > 0, 'an attempt');
  const folder = mkdtempSync(join(tmpdir(), 'waiver-service-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'waivers.log'), host.lines.join(''));
  const delivery = textAt(JSON.parse(attempts()[0] ?? ''), 'delivery');
  const commands = documentedBlock('docs/operating.md', 'jq -c').replace('0199…', delivery);
  const found = (await runInShell(commands, { cwd: folder }))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(found).toContainEqual(expect.objectContaining({ pool: 'rafting', status: read.status }));
  expect(found).toContainEqual(expect.objectContaining({ delivery, msg: 'delivery attempted' }));
});
