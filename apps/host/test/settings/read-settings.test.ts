import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSettings } from '../../src/settings/read-settings.ts';
import { SettingsError } from '../../src/settings/settings-error.ts';

const key = randomBytes(32).toString('base64');
const token = 'a-token-that-is-hard-to-guess';
const ownDatabase = {
  DATABASE_URL: 'postgres://u:secret@db/w',
  ADMIN_TOKEN: token,
  ENCRYPTION_KEYS: `k1:${key}`,
};

function refusal(variables: Record<string, string>): string {
  try {
    readSettings(variables);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error(`accepted ${JSON.stringify(variables)}`);
}

// docs/settings.md has the other defaults, which documented-settings.test.ts compares.
test('without any variable nothing is set that has no default', () => {
  expect(readSettings({})).toMatchObject({
    operationsPort: undefined,
    baseUrl: undefined,
    databaseUrl: undefined,
    adminToken: undefined,
    encryptionKeys: undefined,
    plugins: [],
    outboundAllow: [],
  });
});

test('a variable that is empty counts as not set', () => {
  expect(readSettings({ PORT: '', BASE_URL: ' ', ROLE: '' })).toEqual(readSettings({}));
});

describe('a wrong variable stops the start with a sentence that names it', () => {
  test.each([
    ['HOST', 'a b'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['BASE_URL', 'waivers.example.com'],
    ['BASE_URL', 'ftp://example.com'],
    ['BASE_URL', 'https://user:pass@example.com'],
    ['BASE_URL', 'https://example.com/?a=b'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', 'loopback'],
    ['DATABASE_URL', 'mysql://u:secret@db/w'],
    ['ADMIN_TOKEN', 'short'],
    ['ADMIN_TOKEN', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['ADMIN_TOKEN', 'has a space in it, and a comma, too'],
    ['ENCRYPTION_KEYS', 'k1'],
    ['ENCRYPTION_KEYS', `k1:${Buffer.alloc(16).toString('base64')}`],
    ['ENCRYPTION_KEYS', `k1:${key},k1:${key}`],
    ['ENCRYPTION_KEYS', `k1:${key},`.concat('nonsense')],
    ['OUTBOUND_ALLOW', '127.0.0.1/40'],
    ['OUTBOUND_ALLOW', 'localhost'],
    ['ROLE', 'worker'],
    ['RETRY_SCHEDULE', '0s,soon'],
    ['RETRY_SCHEDULE', ','],
    ['OUTBOUND_TIMEOUT', '10'],
    ['OUTBOUND_TIMEOUT', '0s'],
    ['OUTBOUND_TIMEOUT', '61s'],
    ['DELIVERY_CONCURRENCY', '0'],
    ['DESTINATION_CONCURRENCY', 'many'],
    ['KEY_OVERLAP', '1 day'],
    ['PAUSE_AFTER', '0ms'],
    ['PROBE_INTERVAL', 'x'],
    ['ATTEMPT_RETENTION', '30D'],
    ['DRAIN_TIME', '2h'],
    ['OPERATIONS_PORT', 'off'],
    ['OPERATIONS_PORT', '8080'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} .+\\.$`));
  });

  test('no sentence shows a secret', () => {
    expect(refusal({ DATABASE_URL: 'mysql://u:secret@db/w' })).not.toContain('secret');
    expect(refusal({ ENCRYPTION_KEYS: 'k1:c2VjcmV0' })).not.toContain('c2VjcmV0');
    expect(refusal({ ADMIN_TOKEN: 'tooshort' })).not.toContain('tooshort');
  });

  test('each wrong one gets a sentence', () => {
    expect(refusal({ PORT: 'x', ROLE: 'y' }).split('\n')).toHaveLength(2);
  });
});

test('a database of the operator’s own needs a token and keys of their own', () => {
  expect(refusal({ DATABASE_URL: ownDatabase.DATABASE_URL })).toBe(
    'ADMIN_TOKEN must be set when DATABASE_URL is set.\nENCRYPTION_KEYS must be set when DATABASE_URL is set.',
  );
  const settings = readSettings(ownDatabase);
  expect(settings.adminToken).toBe(token);
  expect(settings.encryptionKeys?.map(({ id, key: bytes }) => [id, bytes.length])).toEqual([['k1', 32]]);
});

test('BASE_URL is required if HOST is not a loopback address', () => {
  expect(refusal({ HOST: '0.0.0.0' })).toContain('BASE_URL must be set');
  expect(readSettings({ HOST: '0.0.0.0', BASE_URL: 'https://w.example.com/x/' }).baseUrl).toBe(
    'https://w.example.com/x',
  );
  for (const loopback of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
    expect(readSettings({ HOST: loopback }).baseUrl).toBeUndefined();
  }
});

test('plugins from outside are packages with a plugin’s name', () => {
  expect(
    readSettings({ PLUGINS: 'waiver-service-plugin-a, @waiver-service/plugin-b,waiver-service-plugin-a' })
      .plugins,
  ).toEqual(['waiver-service-plugin-a', '@waiver-service/plugin-b']);
  expect(refusal({ PLUGINS: 'waiver-service-plugin-a,left-pad' })).toContain('PLUGINS has "left-pad"');
  expect(refusal({ PLUGINS: '../waiver-service-plugin-a' })).toContain('PLUGINS has');
});

test('proxies are a number or addresses', () => {
  expect(readSettings({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
  expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, ::1' }).trustProxy).toEqual(['10.0.0.0/8', '::1']);
  expect(readSettings({ TRUST_PROXY: 'false' }).trustProxy).toBe(false);
});

test('any environment is either accepted or refused in sentences', () => {
  const name = fc.constantFrom(
    ...['HOST', 'PORT', 'BASE_URL', 'TRUST_PROXY', 'DATABASE_URL', 'ADMIN_TOKEN', 'ENCRYPTION_KEYS'],
    ...['OUTBOUND_ALLOW', 'ROLE', 'RETRY_SCHEDULE', 'OUTBOUND_TIMEOUT', 'DELIVERY_CONCURRENCY', 'LOG_LEVEL'],
  );
  fc.assert(
    fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' })), (variables) => {
      try {
        readSettings(variables);
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsError);
        for (const line of String(error instanceof Error && error.message).split('\n'))
          expect(line).toMatch(/^[A-Z_]+ /);
      }
    }),
  );
});
