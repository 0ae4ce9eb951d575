import type { MailServer } from '@waiver-service/alerts/alerts-settings';
import type { EncryptionKey } from '@waiver-service/database';
import type { TracingSettings } from '@waiver-service/operations/tracing';
import type { SignInIssuer } from '@waiver-service/people/sign-in-settings';

/** Whether this process serves HTTP, sends messages, or both. */
export type HostRole = 'all' | 'api' | 'dispatcher';

/** The host's settings, as read from the environment. Durations are milliseconds. */
export interface HostSettings {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** 0 picks a free one. `undefined` if health, readiness and metrics are served on `port`. */
  readonly operationsPort: number | undefined;
  /** Without a trailing slash. `undefined` if derived from host and port. */
  readonly baseUrl: string | undefined;
  /** `false`, a number of proxies, or CIDRs. */
  readonly trustProxy: false | number | readonly string[];
  /** `undefined`: embedded PostgreSQL in `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** `undefined`: generated into `dataDir`. */
  readonly adminToken: string | undefined;
  /** `undefined`: generated into `dataDir`. The first encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[] | undefined;
  /** `undefined`: people sign in only by credentials. */
  readonly signInIssuer: SignInIssuer | undefined;
  /** Additional plugin packages to load. */
  readonly plugins: readonly string[];
  readonly outboundAllow: readonly string[];
  readonly role: HostRole;
  readonly retrySchedule: readonly number[];
  readonly outboundTimeout: number;
  readonly deliveryConcurrency: number;
  readonly destinationConcurrency: number;
  readonly keyOverlap: number;
  readonly pauseAfter: number;
  readonly probeInterval: number;
  readonly attemptRetention: number;
  readonly deliveryRetention: number;
  readonly deadRetention: number;
  readonly auditRetention: number;
  /** The time between two rounds of pruning. */
  readonly pruneInterval: number;
  /** The server that sends alerts by mail, and their sender's address. `undefined`: no mail. */
  readonly mail: { readonly server: MailServer; readonly from: string } | undefined;
  /** `undefined`: nothing is traced. */
  readonly tracing: TracingSettings | undefined;
  /** Of a stamp server (RFC 3161). Without it there are no outside stamps of evidence. */
  readonly timestampUrl: string | undefined;
  /** How long requests are served after SIGTERM, while the host is not ready. */
  readonly drainTime: number;
  readonly logLevel: string;
}
