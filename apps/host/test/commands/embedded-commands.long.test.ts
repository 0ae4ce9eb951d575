import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { adminToken, until } from '@waiver-service/testing';
import { afterAll, expect, test } from 'vitest';
import { documentedBlock } from '../harness/documented-blocks.ts';
import { argumentsOf, runCommand } from '../harness/operator-command.ts';
import { type Program, startProgram } from '../harness/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'waiver-commands-'));
// The database's user must be able to pass through, where the tests run as root.
chmodSync(folder, 0o711);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const newKey = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const former = newKey('former');
const current = newKey('current');
const both = { ENCRYPTION_KEYS: `${current},${former}` };
const source = { DATA_DIR: join(folder, 'source'), ADMIN_TOKEN: adminToken };
const target = { DATA_DIR: join(folder, 'target'), ADMIN_TOKEN: adminToken, ENCRYPTION_KEYS: current };
const file = join(folder, 'monday.backup');

const words = (block: string) => argumentsOf(block, { '/var/backups/waivers-monday.backup': file });
const rotate = words(documentedBlock('docs/operating.md', 'npx --no-install waiver-service keys rotate'));
const backUp = words(documentedBlock('docs/operating.md', 'npx --no-install waiver-service backup'));
const restore = words(documentedBlock('docs/operating.md', 'npx --no-install waiver-service restore'));
const doctor = words(documentedBlock('docs/operating.md', 'npx --no-install waiver-service doctor'));

interface Finding {
  readonly check: string;
  readonly message: string;
}

const sign = (host: Program, id: string) =>
  host.done('POST', '/v1/pools/p/waivers', { id, answers: { name: 'Ada' } });

test('secrets are re-encrypted, and the database is backed up, while its host runs; the copy goes on where it was', async () => {
  const receiver = await startWebhookReceiver();
  const before = await startProgram({ ...source, ENCRYPTION_KEYS: former });
  await before.makePool('p');
  const webhook = { url: receiver.url, auth: { type: 'none' }, signing: true };
  await before.done('POST', '/v1/admin/pools/p/webhooks', webhook);
  await sign(before, 'W-1');
  await until(() => receiver.received.length > 0, 'the first message');
  expect(await before.stop()).toBe(0);

  const host = await startProgram({ ...source, ...both });
  const rotated = await runCommand(rotate, { ...source, ...both });
  expect(rotated).toMatchObject({ status: 0 });
  expect(rotated.stdout).toBe(
    `Re-encrypted 3 values with the key "current", which now encrypts 4 values.
The key "former" encrypts nothing any more. When every host has been started with "current" in front, it may leave ENCRYPTION_KEYS. Keep it with the backups that it encrypted.
`,
  );
  const databaseFolder =
    /the database is in ([^,]+), not in/.exec(host.spawned.stdout())?.[1] ?? source.DATA_DIR;
  const [destination] = (await host.done('GET', '/v1/admin/destinations')).items;
  await host.done('POST', `/v1/admin/destinations/${destination.id}/pause`);
  await sign(host, 'W-2');
  const backup = await runCommand(backUp, { ...source, ...both });
  expect(backup).toMatchObject({ status: 0 });
  expect(backup.stdout).toMatch(
    /^Backed up \d+ rows of \d+ tables, as of \S+Z, to \S+monday.backup \([\d.]+ KB\)\.\nOnly the key "current" of ENCRYPTION_KEYS opens it, which is not in it: keep that key/,
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const well = await runCommand([...doctor, '--json'], { ...source, ...both });
  const { ok, findings } = JSON.parse(well.stdout);
  const messages = Object.fromEntries(findings.map(({ check, message }: Finding) => [check, message]));
  expect([well.status, ok], well.stdout).toEqual([0, true]);
  expect(messages).toMatchObject({
    settings: 'All settings are valid.',
    storage: `The database is the embedded one, in ${databaseFolder}.`,
    keys: 'All 3 secrets that were tried open, and "current" encrypts all there are.',
    backup: expect.stringMatching(/^The last backup by waiver-service backup is \d+ seconds? old/),
    sending: '1 host is sending; 1 message waits. 1 destinations are paused.',
    plugins: expect.stringMatching(/^1\d plugins can be used\.$/),
  });
  const unwell = await runCommand(doctor, {
    ...source,
    ENCRYPTION_KEYS: former,
    OUTBOUND_ALLOW: '0.0.0.0/0',
  });
  expect(unwell.status).toBe(1);
  expect(unwell.stdout).toMatch(/^PROBLEM outbound +OUTBOUND_ALLOW opens 0\.0\.0\.0\/0/m);
  expect(unwell.stdout).toMatch(/^PROBLEM keys +3 secrets cannot be read, the first is /m);
  expect(unwell.stdout).toMatch(/\nNot all is well: see each PROBLEM\.\n$/);
  await sign(host, 'W-3');
  const inUse = await runCommand(restore, { ...source, ...both });
  expect(inUse).toMatchObject({ status: 1, stderr: expect.stringContaining('another waiver service') });
  expect(await host.stop()).toBe(0);

  // Creates the database, and restores nothing.
  const missing = await runCommand(['restore', join(folder, 'missing')], target);
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringContaining('cannot be used') });
  const rules = join(target.DATA_DIR, 'postgres-18', 'pg_hba.conf');
  const trusting = readFileSync(rules, 'utf8');
  writeFileSync(rules, 'local all waiver_service trust\n');
  expect(await runCommand(restore, target)).toMatchObject({
    ...{ status: 1, stdout: '' },
    stderr: expect.stringContaining('a restore is not done as a superuser'),
  });
  writeFileSync(rules, trusting);

  const restored = await runCommand(restore, target);
  expect(restored).toMatchObject({ status: 0 });
  expect(restored.stdout).toMatch(/^Restored \d+ rows of \d+ tables/);
  expect(restored.stdout).toContain('1 message waited when the backup was taken');
  const received = receiver.received.length;
  const looking = await startProgram({ ...target, ROLE: 'api' });
  expect(await looking.done('GET', '/v1/pools/p/waivers/W-2')).toMatchObject({ id: 'W-2' });
  expect(await looking.call('GET', '/v1/pools/p/waivers/W-3')).toMatchObject({ status: 404 });
  await looking.done('POST', `/v1/admin/destinations/${destination.id}/resume`);
  expect(await looking.stop()).toBe(0);
  expect(receiver.received).toHaveLength(received);
  const copy = await startProgram(target);
  const message = await until(() => receiver.received[received], 'what waited');
  expect(message.body.toString('utf8')).toContain('W-2');
  expect(message.headers['webhook-signature']).toMatch(/^v1,/);
  expect(await copy.stop()).toBe(0);
  await receiver.close();
});

test('a command on a folder without a database creates none', async () => {
  const nothing = join(folder, 'nothing');
  const missing = await runCommand(['backup', file], {
    ...source,
    DATA_DIR: nothing,
    ENCRYPTION_KEYS: current,
  });
  expect(missing).toMatchObject({ status: 1, stdout: '' });
  expect(missing.stderr).toContain(`there is no database in ${nothing}: is DATA_DIR right?`);
  const withoutKeys = await runCommand(['restore', file], { DATA_DIR: nothing });
  expect(withoutKeys.stderr).toContain(
    `ENCRYPTION_KEYS is not set, and there is no ${nothing}/encryption-keys`,
  );
  expect(existsSync(nothing)).toBe(false);
});
