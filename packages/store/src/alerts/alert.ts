import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { AlertTable } from '../database/tables-alerts.ts';
import type { DestinationStatus } from '../database/tables-outbox.ts';
import { type EncryptedColumn, type Encryption, locate } from '../encryption/encryption.ts';
import { parseAuth, type WebhookAuth } from '../webhooks/webhook-endpoint.ts';

/** Whatever an alert can tell of. */
export const alertEvents = [
  'delivery.dead',
  'destination.failing',
  'destination.paused',
  'destination.recovered',
  'installation.auth_rejected',
  'installation.pending',
  'fault',
] as const;

export type AlertEvent = (typeof alertEvents)[number];

/** Where alerts are sent, with decrypted secrets. Never show them. */
export type AlertTarget =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      readonly auth: WebhookAuth;
      /** One, or none. */
      readonly signingSecrets: readonly string[];
    }
  | { readonly kind: 'email'; readonly email: string };

/** Who is told of which events. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly target: AlertTarget;
  readonly events: readonly AlertEvent[];
  /** Null: all, and what belongs to none. */
  readonly pools: readonly string[] | null;
  readonly destinationId: string;
  /** Whether its receiver takes alerts. */
  readonly status: DestinationStatus;
  readonly consecutiveFailures: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row of `alert` with the state of its destination. */
export interface AlertRow extends Selectable<AlertTable> {
  readonly status: DestinationStatus;
  readonly consecutive_failures: number;
}

/** The authentication of requests to a receiver. */
export const alertAuthColumn = {
  table: 'alert',
  column: 'auth_encrypted',
  key: ['id'],
} as const satisfies EncryptedColumn;

/** The signing secrets. */
export const alertSecretColumn = {
  table: 'alert',
  column: 'signing_secret_encrypted',
  key: ['id'],
} as const satisfies EncryptedColumn;

/** A signing secret as Standard Webhooks has it. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

function targetOf(encryption: Encryption, row: Selectable<AlertTable>): AlertTarget {
  const { id, url, email, auth_encrypted: auth, signing_secret_encrypted: secret } = row;
  if (email !== null) return { kind: 'email', email };
  if (url === null || auth === null) throw new Error(`alert ${id} has neither a URL nor a mail address`);
  return {
    kind: 'webhook',
    url,
    auth: parseAuth(encryption.decrypt(locate(alertAuthColumn, id), auth)),
    signingSecrets: secret === null ? [] : [encryption.decrypt(locate(alertSecretColumn, id), secret)],
  };
}

const isEvent = (name: string): name is AlertEvent => alertEvents.some((event) => event === name);

/** @throws CannotDecrypt */
export function alertOf(encryption: Encryption, row: AlertRow): Alert {
  return {
    id: row.id,
    name: row.name,
    target: targetOf(encryption, row),
    events: row.events.filter(isEvent),
    pools: row.pools,
    destinationId: row.destination_id,
    status: row.status,
    consecutiveFailures: row.consecutive_failures,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
