import { type AlertEvent, alertEvents } from '@waiver-service/api';
import type { DestinationStatus } from '../destinations/destinations.ts';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { type Encryption, locate } from '../encryption/encryption.ts';
import { parseAuth, type WebhookAuth } from '../webhooks/webhook-endpoint.ts';

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

/** A receiver of alerts, and its events. */
export interface Alert {
  readonly id: string;
  readonly name: string;
  readonly target: AlertTarget;
  readonly events: readonly AlertEvent[];
  /** Null: all pools, and events that belong to none. */
  readonly pools: readonly string[] | null;
  readonly destinationId: string;
  /** Whether its receiver takes alerts. */
  readonly status: DestinationStatus;
  readonly consecutiveFailures: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A row of `alert` with the state of its destination. */
export interface AlertRow extends Omit<Alert, 'target' | 'events'> {
  readonly events: readonly string[];
  readonly url: string | null;
  readonly auth_encrypted: string | null;
  readonly signing_secret_encrypted: string | null;
  readonly email: string | null;
}

const isEvent = (name: string): name is AlertEvent => alertEvents.some((event) => event === name);

/** @throws CannotDecrypt */
export function alertOf(encryption: Encryption, row: AlertRow): Alert {
  const { url, auth_encrypted, signing_secret_encrypted, email, ...alert } = row;
  return { ...alert, target: targetOf(encryption, row), events: row.events.filter(isEvent) };
}

function targetOf(encryption: Encryption, row: AlertRow): AlertTarget {
  const { id, url, email, auth_encrypted: auth, signing_secret_encrypted: secret } = row;
  if (email !== null) return { kind: 'email', email };
  if (url === null || auth === null) throw new Error(`alert ${id} has neither a URL nor a mail address`);
  return {
    kind: 'webhook',
    url,
    auth: parseAuth(encryption.decrypt(locate(encryptedColumns.alertAuth, id), auth)),
    signingSecrets:
      secret === null ? [] : [encryption.decrypt(locate(encryptedColumns.alertSigningSecret, id), secret)],
  };
}
