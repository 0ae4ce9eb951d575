import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hostSecrets } from '../../src/settings/generated-secrets.ts';
import { readSettings } from '../../src/settings/read-settings.ts';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'waiver-secrets-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

const settingsIn = (dataDir: string) => readSettings({ DATA_DIR: dataDir });

test('secrets are generated once, readable only by their owner, and the same at the next start', () => {
  const dataDir = join(parent, 'data');
  const first = hostSecrets(settingsIn(dataDir));
  expect(first.adminToken).toMatch(/^wsa_[\w-]{43}$/);
  expect(first.encryptionKeys).toHaveLength(1);
  expect(first.adminTokenFile).toBe(join(dataDir, 'admin-token'));
  expect(hostSecrets(settingsIn(dataDir))).toEqual(first);
  expect(statSync(dataDir).mode & 0o066).toBe(0);
  expect(readdirSync(dataDir).sort()).toEqual(['admin-token', 'encryption-keys']);
  for (const name of readdirSync(dataDir)) expect(statSync(join(dataDir, name)).mode & 0o777).toBe(0o600);
});

test('secrets from the environment are not stored', () => {
  const dataDir = join(parent, 'data');
  const settings = readSettings({
    DATA_DIR: dataDir,
    ADMIN_TOKEN: 'a-token-that-is-hard-to-guess',
    ENCRYPTION_KEYS: `k:${Buffer.alloc(32, 7).toString('base64')}`,
  });
  expect(hostSecrets(settings).adminTokenFile).toBeUndefined();
  expect(readdirSync(parent)).toEqual([]);
});

test('a file that is damaged stops the start by its name, and is left as it is', () => {
  hostSecrets(settingsIn(parent));
  writeFileSync(join(parent, 'encryption-keys'), 'k:short');
  expect(() => hostSecrets(settingsIn(parent))).toThrow(/encryption-keys is damaged/);
});
