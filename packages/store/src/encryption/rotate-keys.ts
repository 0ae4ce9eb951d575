import { type KeyRotation, type RotateKeysOptions, rotateKeys } from '@waiver-service/database';
import { schema } from '../database/schema.ts';
import { allEncryptedColumns } from './encrypted-columns.ts';

/** Re-encrypts all values of the service: see {@link rotateKeys}. */
export const rotateEncryptionKeys = (options: RotateKeysOptions): Promise<KeyRotation> =>
  rotateKeys(schema, allEncryptedColumns, options);
