import {
  type EncryptedColumn,
  type KeyRotation,
  type RotateKeysOptions,
  rotateKeys,
} from '@waiver-service/database';
import { type Migrating, schemaOf } from '../database/schema.ts';

/**
 * Every encrypted column of the store except `encryption_check`, which each host re-encrypts when it starts. A test compares the
 * list with the database: a column missing here would not be rotated, and be lost with its old key.
 */
export const encryptedColumns = {
  emailHashKey: { table: 'email_hash_key', column: 'key_encrypted', key: ['id'] },
  settings: { table: 'booking_system', column: 'settings_encrypted', key: ['install_name'] },
  account: { table: 'installation', column: 'account_encrypted', key: ['pool', 'booking_system'] },
  codeVerifier: { table: 'authorization_request', column: 'verifier_encrypted', key: ['state_hash'] },
  session: { table: 'booking_system_session', column: 'session_encrypted', key: ['destination'] },
  vendorWebhookKey: { table: 'vendor_webhook', column: 'key_encrypted', key: ['destination'] },
  removalAccount: { table: 'vendor_webhook', column: 'account_encrypted', key: ['destination'] },
  webhookAuth: { table: 'webhook', column: 'auth_encrypted', key: ['id'] },
  webhookSigningSecret: { table: 'webhook_secret', column: 'secret_encrypted', key: ['id'] },
} as const satisfies Record<string, EncryptedColumn>;

/** What has encrypted columns: a feature. */
interface Encrypting {
  readonly encryptedColumns?: Readonly<Record<string, EncryptedColumn>>;
}

/** The encrypted columns of the store and of features. */
export const allEncryptedColumns = (features: readonly Encrypting[]): readonly EncryptedColumn[] =>
  [{ encryptedColumns }, ...features].flatMap(({ encryptedColumns: of }: Encrypting) =>
    Object.values(of ?? {}),
  );

/** Re-encrypts all values of the service, those of all `features` among them: see {@link rotateKeys}. */
export const rotateEncryptionKeys = ({
  features,
  ...options
}: RotateKeysOptions & { readonly features: readonly (Migrating & Encrypting)[] }): Promise<KeyRotation> =>
  rotateKeys(schemaOf(features), allEncryptedColumns(features), options);
