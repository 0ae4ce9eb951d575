import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { mailAddressSchema } from '@waiver-service/api';
import { describeIssue } from '@waiver-service/core';
import type { TracingSettings } from '@waiver-service/operations/tracing';
import { type SignInIssuer, signInRolesSchema } from '@waiver-service/people/sign-in-settings';
import { z } from 'zod';
import {
  addressRangesSchema,
  adminTokenSchema,
  baseUrlSchema,
  databaseUrlSchema,
  durationSchema,
  encryptionKeysSchema,
  issuerSchema,
  maxRetentionMs,
  otlpHeadersSchema,
  pluginPackagesSchema,
  ratioSchema,
  retryScheduleSchema,
  SettingsError,
  smtpUrlSchema,
  timestampUrlSchema,
  trustProxySchema,
  wholeNumberSchema,
} from './environment-fields.ts';
import type { HostSettings } from './host-settings.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

// A caller's sampled flag is ignored, so a parent-based sampler behaves like its root sampler.
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const oneOf = <Word extends string>(words: readonly [Word, ...Word[]]) =>
  z.enum(words, {
    error: ({ input }) => `is ${JSON.stringify(input)}: it must be one of ${words.join(', ')}`,
  });

const environmentSchema = z.object({
  HOST: z
    .string()
    .regex(/^[A-Za-z0-9.:_-]+$/, 'must be the name or the address to listen on, such as 127.0.0.1')
    .default('127.0.0.1'),
  PORT: wholeNumberSchema(0, 65_535).default(8080),
  OPERATIONS_PORT: wholeNumberSchema(0, 65_535).optional(),
  BASE_URL: baseUrlSchema.optional(),
  TRUST_PROXY: trustProxySchema.default(false),
  DATABASE_URL: databaseUrlSchema.optional(),
  DATA_DIR: z.string().default('./.data'),
  ADMIN_TOKEN: adminTokenSchema.optional(),
  ENCRYPTION_KEYS: encryptionKeysSchema.optional(),
  PLUGINS: pluginPackagesSchema.default([]),
  OUTBOUND_ALLOW: addressRangesSchema.default([]),
  ROLE: oneOf(['all', 'api', 'dispatcher']).default('all'),
  RETRY_SCHEDULE: retryScheduleSchema.prefault('0s,5s,5m,30m,2h,5h,10h,14h,20h,24h'),
  // Limited, because deliveries hold leases and a shutdown waits for them.
  OUTBOUND_TIMEOUT: durationSchema(1, 60_000).prefault('10s'),
  DELIVERY_CONCURRENCY: wholeNumberSchema(1, 10_000).default(64),
  DESTINATION_CONCURRENCY: wholeNumberSchema(1, 10_000).default(8),
  KEY_OVERLAP: durationSchema(0).prefault('24h'),
  PAUSE_AFTER: durationSchema(1).prefault('24h'),
  PROBE_INTERVAL: durationSchema(1).prefault('1h'),
  ATTEMPT_RETENTION: durationSchema(1).prefault('30d'),
  DELIVERY_RETENTION: durationSchema(86_400_000, maxRetentionMs).prefault('90d'),
  DEAD_RETENTION: durationSchema(86_400_000, maxRetentionMs).prefault('1y'),
  AUDIT_RETENTION: durationSchema(86_400_000, maxRetentionMs).prefault('2y'),
  SMTP_URL: smtpUrlSchema.optional(),
  ALERT_FROM: mailAddressSchema.optional(),
  TIMESTAMP_URL: timestampUrlSchema.optional(),
  DRAIN_TIME: durationSchema(0, 3_600_000).prefault('5s'),
  OTEL_EXPORTER_OTLP_ENDPOINT: baseUrlSchema.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeadersSchema.prefault(''),
  OTEL_SERVICE_NAME: z.string().max(255).default('waiver-service'),
  OTEL_TRACES_SAMPLER: oneOf(samplers).default('always_on'),
  OTEL_TRACES_SAMPLER_ARG: ratioSchema.default(1),
  OIDC_ISSUER: issuerSchema.optional(),
  OIDC_CLIENT_ID: z.string().max(1_000).optional(),
  OIDC_CLIENT_SECRET: z.string().max(10_000).optional(),
  OIDC_ROLES: signInRolesSchema.optional(),
  LOG_LEVEL: oneOf(logLevels).default('info'),
});

export const settingNames: readonly string[] = Object.keys(environmentSchema.shape);

/** The settings that are secret or may contain a password. */
export const secretSettings = [
  'ADMIN_TOKEN',
  'ENCRYPTION_KEYS',
  'DATABASE_URL',
  'OIDC_CLIENT_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
] as const satisfies (keyof Environment)[];

type Environment = z.infer<typeof environmentSchema>;

/** Whether a host name or address is a loopback one. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

const issuerSettings = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const;

function signInIssuerOf(environment: Environment): SignInIssuer | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId } = environment;
  const { OIDC_CLIENT_SECRET: clientSecret, OIDC_ROLES: roles } = environment;
  if (!issuer || !clientId || !clientSecret || !roles) return undefined;
  return { issuer, clientId, clientSecret, roles };
}

function sampleRatioOf(sampler: Environment['OTEL_TRACES_SAMPLER'], ratio: number): number {
  if (sampler.endsWith('traceidratio')) return ratio;
  return sampler.endsWith('always_on') ? 1 : 0;
}

function tracingOf(environment: Environment): TracingSettings | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: sampler } = environment;
  if (endpoint === undefined) return undefined;
  return {
    url: `${endpoint}/v1/traces`,
    headers: environment.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: environment.OTEL_SERVICE_NAME,
    sampleRatio: sampleRatioOf(sampler, environment.OTEL_TRACES_SAMPLER_ARG),
  };
}

// Problems that involve several variables.
function findConflicts(environment: Environment): string[] {
  const sentences: string[] = [];
  if (environment.DATABASE_URL !== undefined) {
    for (const name of ['ADMIN_TOKEN', 'ENCRYPTION_KEYS'] as const) {
      if (environment[name] === undefined) sentences.push(`${name} must be set when DATABASE_URL is set.`);
    }
  }
  if (environment.OPERATIONS_PORT === environment.PORT && environment.PORT !== 0) {
    sentences.push(
      `OPERATIONS_PORT is ${environment.PORT}, and PORT too: it must be another port, or be left out.`,
    );
  }
  const missing = issuerSettings.filter((name) => environment[name] === undefined);
  if (missing.length > 0 && missing.length < issuerSettings.length) {
    const given = issuerSettings.filter((name) => !missing.includes(name));
    sentences.push(`${missing.join(', ')} must be set when ${given.join(', ')} is set.`);
  }
  if ((environment.SMTP_URL === undefined) !== (environment.ALERT_FROM === undefined)) {
    const [absent, set] =
      environment.SMTP_URL === undefined ? ['SMTP_URL', 'ALERT_FROM'] : ['ALERT_FROM', 'SMTP_URL'];
    sentences.push(`${absent} must be set when ${set} is set: mails need a server and a sender.`);
  }
  if (environment.BASE_URL === undefined && !isLoopback(environment.HOST)) {
    sentences.push(`BASE_URL must be set when HOST (${environment.HOST}) is not a loopback address.`);
  }
  return sentences;
}

/**
 * Reads the host's settings. An empty variable counts as not set.
 * @throws SettingsError with one sentence for each invalid or missing variable
 */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): HostSettings {
  const given = Object.fromEntries(Object.entries(variables).filter(([, value]) => value?.trim()));
  const parsed = environmentSchema.safeParse(given, { error: describeIssue });
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`).join('\n'),
    );
  }
  const environment = parsed.data;
  const { SMTP_URL: mailServer, ALERT_FROM: mailSender } = environment;
  const wrong = findConflicts(environment);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return {
    host: environment.HOST,
    port: environment.PORT,
    operationsPort: environment.OPERATIONS_PORT,
    baseUrl: environment.BASE_URL,
    trustProxy: environment.TRUST_PROXY,
    databaseUrl: environment.DATABASE_URL,
    dataDir: resolve(environment.DATA_DIR),
    adminToken: environment.ADMIN_TOKEN,
    encryptionKeys: environment.ENCRYPTION_KEYS,
    signInIssuer: signInIssuerOf(environment),
    plugins: environment.PLUGINS,
    outboundAllow: environment.OUTBOUND_ALLOW,
    role: environment.ROLE,
    retrySchedule: environment.RETRY_SCHEDULE,
    outboundTimeout: environment.OUTBOUND_TIMEOUT,
    deliveryConcurrency: environment.DELIVERY_CONCURRENCY,
    destinationConcurrency: environment.DESTINATION_CONCURRENCY,
    keyOverlap: environment.KEY_OVERLAP,
    pauseAfter: environment.PAUSE_AFTER,
    probeInterval: environment.PROBE_INTERVAL,
    attemptRetention: environment.ATTEMPT_RETENTION,
    deliveryRetention: environment.DELIVERY_RETENTION,
    deadRetention: environment.DEAD_RETENTION,
    auditRetention: environment.AUDIT_RETENTION,
    pruneInterval: 3_600_000,
    mail:
      mailServer === undefined || mailSender === undefined
        ? undefined
        : { server: mailServer, from: mailSender },
    tracing: tracingOf(environment),
    timestampUrl: environment.TIMESTAMP_URL,
    drainTime: environment.DRAIN_TIME,
    logLevel: environment.LOG_LEVEL,
  };
}
