import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../harness/operator-command.ts';
import { startProgram } from '../harness/program.ts';
import { adminToken } from '../harness/test-host.ts';

const folder = mkdtempSync(join(tmpdir(), 'waiver-commands-'));
// The database's user must be able to pass through, where the tests run as root.
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const former = newKey('former');
const current = newKey('current');
const DATA_DIR = join(folder, 'data');
const settings = { DATA_DIR, ADMIN_TOKEN: adminToken };

test('secrets are encrypted anew while the host of the embedded database runs, and with it stopped', async () => {
  const first = await startProgram({ ...settings, ENCRYPTION_KEYS: former });
  await first.makePool('p');
  const webhook = { url: 'https://receiver.example/guests', auth: { type: 'none' }, signing: true };
  const { id } = await first.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  await first.stop();
  const both = { ...settings, ENCRYPTION_KEYS: `${current},${former}` };
  const host = await startProgram(both);
  const rotated = await runCommand(['keys', 'rotate'], both);
  expect(rotated).toMatchObject({ status: 0 });
  expect(rotated.stdout).toBe(
    `Encrypted 2 values anew with the key "current", which now encrypts 3 values.
The key "former" encrypts nothing any more. When every host has been started with "current" in front, it may leave ENCRYPTION_KEYS. Keep it with the backups that it encrypted.
`,
  );
  expect((await host.call('GET', '/readyz')).status).toBe(200);
  await host.stop();
  const onlyCurrent = { ...settings, ENCRYPTION_KEYS: current };
  expect(await runCommand(['keys', 'rotate'], onlyCurrent)).toMatchObject({ status: 0 });
  expect(await runCommand(['keys', 'rotate'], { ...settings, ENCRYPTION_KEYS: former })).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('"current", which is not among ENCRYPTION_KEYS'),
  });
  const last = await startProgram(onlyCurrent);
  const rotatedSecret = await last.done('POST', `/v1/admin/pools/p/webhooks/${id}/rotate-secret`);
  expect(rotatedSecret.signingSecret).toMatch(/^whsec_/);
  await last.stop();
}, 120_000);

test('a command on a folder without a database creates none', async () => {
  const nothing = join(folder, 'nothing');
  const missing = await runCommand(['keys', 'rotate'], {
    ...settings,
    DATA_DIR: nothing,
    ENCRYPTION_KEYS: current,
  });
  expect(missing).toMatchObject({ status: 1, stdout: '' });
  expect(missing.stderr).toContain(`there is no database in ${nothing}: is DATA_DIR right?`);
  const withoutKeys = await runCommand(['keys', 'rotate'], { DATA_DIR: nothing });
  expect(withoutKeys.stderr).toContain(
    `ENCRYPTION_KEYS is not set, and there is no ${nothing}/encryption-keys`,
  );
  expect(existsSync(nothing)).toBe(false);
});

test('a wrong line says which commands there are, with status 2', async () => {
  const wrong = await runCommand(['keys', 'turn'], settings);
  expect(wrong).toMatchObject({ status: 2, stdout: '' });
  expect(wrong.stderr).toContain('waiver-service keys rotate');
  expect((await runCommand(['keys', '--help'], settings)).status).toBe(0);
});
