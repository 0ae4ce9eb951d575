import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  durationSchema,
  maxDurationMs,
  maxRetentionMs,
  readDuration,
  SettingsError,
} from '../../src/settings/environment-fields.ts';
import { hostSecrets } from '../../src/settings/generated-secrets.ts';
import { readSettings, settingNames } from '../../src/settings/read-settings.ts';

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

// docs/settings.md has the other defaults, which a test below compares.
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
    ['SMTP_URL', 'https://mail.example.com'],
    ['SMTP_URL', 'smtp://user:secret@mail.example.com/path'],
    ['SMTP_URL', 'smtp://mail.example.com?ignoreTLS=true'],
    ['SMTP_URL', 'smtp://user:100%@mail.example.com'],
    ['SMTP_URL', 'smtp://user:p%E4ss@mail.example.com'],
    ['SMTP_URL', 'smtp://us%E4r:secret@mail.example.com'],
    ['ALERT_FROM', 'Operators <ops@example.com>'],
    ['ALERT_FROM', 'ops@example.com\r\nBcc: all@example.com'],
    ['OPERATIONS_PORT', 'off'],
    ['OPERATIONS_PORT', '8080'],
    ['LOG_LEVEL', 'loud'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'otlp.example.com:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://user:secret@otlp.example.com'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'api key=secret'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=a,x=%0d%0aHost:b'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'key=100%'],
    ['OTEL_EXPORTER_OTLP_HEADERS', `key=${'x'.repeat(10_000)}`],
    ['OTEL_SERVICE_NAME', 'x'.repeat(256)],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '10'],
    ['OTEL_TRACES_SAMPLER_ARG', '-0.1'],
    ['TIMESTAMP_URL', 'stamps.example.com'],
    ['TIMESTAMP_URL', 'https://user:secret@stamps.example.com'],
    ['TIMESTAMP_URL', 'https://stamps.example.com/#tsr'],
    ['OIDC_ISSUER', 'login.example.com'],
    ['OIDC_ISSUER', 'https://login.example.com/?a=b'],
    ['OIDC_ISSUER', 'https://user:password@login.example.com'],
    ['OIDC_CLIENT_ID', 'x'.repeat(1_001)],
    ['OIDC_CLIENT_SECRET', 'x'.repeat(10_001)],
    ['OIDC_ROLES', 'groups'],
    ['OIDC_ROLES', '[]'],
    ['OIDC_ROLES', '{"claim": "groups"}'],
    ['OIDC_ROLES', '{"claim": "groups", "values": {}}'],
    ['OIDC_ROLES', '{"claim": "groups", "values": {"a": {"role": "admin"}}}'],
    ['OIDC_ROLES', '{"claim": "groups", "values": {"a": {"role": "owner", "pools": ["p"]}}}'],
    ['OIDC_ROLES', '{"claim": "groups", "values": {"a": {"role": "viewer", "pools": []}}}'],
    ['OIDC_ROLES', '{"claim": "groups", "values": {"a": {"role": "viewer", "pool": "p"}}}'],
    ['OIDC_ROLES', '{"claim": "groups", "scopes": ["two words"], "values": {"a": {"role": "viewer"}}}'],
    ['OIDC_ROLES', `{"claim": "${'x'.repeat(201)}", "values": {"a": {"role": "viewer"}}}`],
  ])('%s=%s', (name, value) => {
    const message = refusal({ [name]: value });
    expect(message).toMatch(new RegExp(`^${name} .+\\.$`));
  });

  test('no sentence shows a secret', () => {
    expect(refusal({ DATABASE_URL: 'mysql://u:secret@db/w' })).not.toContain('secret');
    expect(refusal({ ENCRYPTION_KEYS: 'k1:c2VjcmV0' })).not.toContain('c2VjcmV0');
    expect(refusal({ SMTP_URL: 'smtp://u:secret@mail.example.com/x' })).not.toContain('secret');
    expect(refusal({ OTEL_EXPORTER_OTLP_HEADERS: 'api key=hidden' })).not.toContain('hidden');
    expect(refusal({ ADMIN_TOKEN: 'tooshort' })).not.toContain('tooshort');
  });

  test('each wrong one gets a sentence', () => {
    expect(refusal({ PORT: 'x', ROLE: 'y' }).split('\n')).toHaveLength(2);
  });
});

test('DATABASE_URL requires ADMIN_TOKEN and ENCRYPTION_KEYS', () => {
  expect(refusal({ DATABASE_URL: ownDatabase.DATABASE_URL })).toBe(
    'ADMIN_TOKEN must be set when DATABASE_URL is set.\nENCRYPTION_KEYS must be set when DATABASE_URL is set.',
  );
  const settings = readSettings(ownDatabase);
  expect(settings.adminToken).toBe(token);
  expect(settings.encryptionKeys?.map(({ id, key: bytes }) => [id, bytes.length])).toEqual([['k1', 32]]);
});

describe('sign-in through an issuer', () => {
  const issuer = {
    OIDC_ISSUER: 'https://login.example.com/tenant/',
    OIDC_CLIENT_ID: 'waiver-service',
    OIDC_CLIENT_SECRET: 'the-secret',
    OIDC_ROLES: '{"claim": "groups", "values": {"admins": {"role": "owner"}}}',
  };

  test('takes all four settings, or none', () => {
    expect(readSettings({}).signInIssuer).toBeUndefined();
    expect(readSettings(issuer).signInIssuer).toEqual({
      issuer: 'https://login.example.com/tenant/',
      clientId: 'waiver-service',
      clientSecret: 'the-secret',
      roles: { claim: 'groups', scopes: [], values: new Map([['admins', { role: 'owner' }]]) },
    });
    expect(refusal({ ...issuer, OIDC_ROLES: '', OIDC_CLIENT_ID: '' })).toBe(
      'OIDC_CLIENT_ID, OIDC_ROLES must be set when OIDC_ISSUER, OIDC_CLIENT_SECRET is set.',
    );
    for (const name of Object.keys(issuer)) {
      expect(refusal({ ...issuer, [name]: '' })).toMatch(new RegExp(`^${name} must be set when OIDC_`));
    }
  });

  test('has a sentence that names the place that is wrong, and shows no secret', () => {
    const roles = '{"claim": "groups", "values": {"desk": {"role": "boss"}}}';
    const message = refusal({ ...issuer, OIDC_ROLES: roles });
    expect(message).toContain('OIDC_ROLES is wrong at values.desk.role');
    expect(refusal({ ...issuer, OIDC_ISSUER: 'https://u:secret@x' })).not.toContain('secret@');
    const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [index, { role: 'viewer' }]));
    expect(refusal({ ...issuer, OIDC_ROLES: JSON.stringify({ claim: 'g', values: many }) })).toContain(
      '1000',
    );
  });

  test('the example in docs/settings.md is valid', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');
    const examples = [...text.matchAll(/```json\n(\{\s*"claim"[^`]*)```/g)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, example] of examples) {
      expect(readSettings({ ...issuer, OIDC_ROLES: example ?? '' }).signInIssuer?.roles.values.size).toBe(3);
    }
  });
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

test('mails need a server and a sender', () => {
  expect(refusal({ SMTP_URL: 'smtp://mail.example.com' })).toContain('ALERT_FROM must be set');
  expect(refusal({ ALERT_FROM: 'ops@example.com' })).toContain('SMTP_URL must be set');
  const mailOf = (url: string) => readSettings({ SMTP_URL: url, ALERT_FROM: 'ops@example.com' }).mail;
  expect(mailOf('smtps://user:p%40ss%3A@mail.example.com')).toEqual({
    from: 'ops@example.com',
    server: { host: 'mail.example.com', port: 465, secure: true, user: 'user', password: 'p@ss:' },
  });
  expect(mailOf('smtp://[::1]:2525/')?.server).toMatchObject({ host: '::1', port: 2525, secure: false });
});

test('the address of a stamp server is kept to the letter', () => {
  for (const url of ['https://stamps.example.com/tsr/', 'https://stamps.example.com/tsr?policy=1.2.3']) {
    expect(readSettings({ TIMESTAMP_URL: url }).timestampUrl).toBe(url);
  }
});

test('traces go below the endpoint, by the sampler and with the headers given', () => {
  expect(readSettings({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' }).tracing).toBeUndefined();
  const OTEL_EXPORTER_OTLP_ENDPOINT = 'https://otlp.example.com/x/';
  const OTEL_EXPORTER_OTLP_HEADERS = 'Api-Key=a%20b%2Cc=, x-tenant = t';
  expect(readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS }).tracing).toEqual({
    url: 'https://otlp.example.com/x/v1/traces',
    headers: { 'api-key': 'a b,c=', 'x-tenant': 't' },
    serviceName: 'waiver-service',
    sampleRatio: 1,
  });
  const ratioOf = (OTEL_TRACES_SAMPLER: string) =>
    readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG: '0.25' })
      .tracing?.sampleRatio;
  expect(ratioOf('always_on')).toBe(1);
  expect(ratioOf('parentbased_always_off')).toBe(0);
  expect(ratioOf('traceidratio')).toBe(0.25);
  expect(ratioOf('parentbased_traceidratio')).toBe(0.25);
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

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 365 * 86_400_000 } as const;

const unit = fc.constantFrom<keyof typeof units>('ms', 's', 'm', 'h', 'd', 'y');

test('a duration is its number times its unit', () => {
  fc.assert(
    fc.property(fc.nat(10), unit, (amount, name) => {
      expect(readDuration(`${amount}${name}`)).toBe(amount * units[name]);
    }),
  );
});

test('any other text is not a duration', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d{1,12}(ms|s|m|h|d|y)$/.test(text));
      expect(readDuration(text)).toBeUndefined();
    }),
  );
  for (const text of ['', '10', 's', '1.5s', '-1s', ' 1s', '1s ', '1S', '1h30m', '٣s', '1e3s', '1s\n']) {
    expect(readDuration(text), text).toBeUndefined();
  }
});

test('a duration longer than a year is refused, unless it says how long something is kept', () => {
  expect(durationSchema(1).parse('365d')).toBe(maxDurationMs);
  expect(durationSchema(1).safeParse('366d').success).toBe(false);
  expect(durationSchema(1, maxRetentionMs).parse('10y')).toBe(maxRetentionMs);
  expect(readDuration('3651d')).toBeUndefined();
  expect(readDuration('999999999999d')).toBeUndefined();
});

test('a message names the bounds in the units of the documentation', () => {
  const messageFor = (schema: ReturnType<typeof durationSchema>) =>
    schema.safeParse('1 h').error?.issues[0]?.message;
  const day = 86_400_000;
  expect(messageFor(durationSchema(day, maxRetentionMs))).toContain('a duration from 1d to 10y, written as');
  expect(messageFor(durationSchema(1))).toContain('a duration from 1ms to 1y,');
  expect(messageFor(durationSchema(0, 90_000))).toContain('a duration from 0s to 90s,');
  expect(messageFor(durationSchema(1, 60_000))).toContain('a duration from 1ms to 1m,');
});

const page = readFileSync(join(import.meta.dirname, '../../../../docs/settings.md'), 'utf8');

const rows = [...page.matchAll(/^\| `(?<name>[A-Z_]+)` +\| (?<default>[^|]*?) +\|/gm)].map(({ groups }) => ({
  name: groups?.name ?? '',
  documented: groups?.default ?? '',
}));

test('docs/settings.md describes every setting, and nothing else', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
});

const defaults = rows.flatMap(({ name, documented }) => {
  if (documented === 'empty') return [{ name, value: '' }];
  const [, value] = /^`([^`]+)`$/.exec(documented) ?? [];
  return value === undefined ? [] : [{ name, value }];
});

test('the page gives a value for most defaults', () => {
  expect(defaults.length).toBeGreaterThan(15);
});

test.each(defaults)('the default of $name is $value, as documented', ({ name, value }) => {
  expect(readSettings({ [name]: value })).toEqual(readSettings({}));
});

describe('generated secrets', () => {
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
});
