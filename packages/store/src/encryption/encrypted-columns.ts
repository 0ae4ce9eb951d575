import { alertAuthColumn, alertSecretColumn } from '../alerts/alert.ts';
import { settingsColumn } from '../booking-systems/booking-systems.ts';
import { accountColumn } from '../installations/installation.ts';
import { verifierColumn } from '../sessions/authorization-requests.ts';
import { sessionColumn } from '../sessions/stored-session.ts';
import { removalAccountColumn, webhookKeyColumn } from '../vendor-webhooks/vendor-webhooks.ts';
import { authColumn, signingSecretColumn } from '../webhooks/webhook-endpoint.ts';
import type { EncryptedColumn } from './encryption.ts';

/**
 * Every encrypted column but `encryption_check`, which each start of a host encrypts anew. A test compares the list with
 * the database: a column that is missing here would be lost with the key that it was encrypted with.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  alertAuthColumn,
  alertSecretColumn,
  settingsColumn,
  accountColumn,
  verifierColumn,
  sessionColumn,
  webhookKeyColumn,
  removalAccountColumn,
  authColumn,
  signingSecretColumn,
];
