import { type KeyRotation, type RotateKeysOptions, rotateKeys } from '@waiver-service/database';
import { type Migrating, schemaOf } from '../database/schema.ts';
import { allEncryptedColumns, type Encrypting } from './encrypted-columns.ts';

/** Re-encrypts all values of the service, those of all `features` among them: see {@link rotateKeys}. */
export const rotateEncryptionKeys = ({
  features,
  ...options
}: RotateKeysOptions & { readonly features: readonly (Migrating & Encrypting)[] }): Promise<KeyRotation> =>
  rotateKeys(schemaOf(features), allEncryptedColumns(features), options);
