import { type KeyRotation, type RotateKeysOptions, rotateKeys } from '@waiver-service/database';
import { schemaOf } from '../database/schema.ts';
import type { FeatureData } from '../feature-data.ts';
import { allEncryptedColumns } from './encrypted-columns.ts';

/** Re-encrypts all values of the service, those of all `features` among them: see {@link rotateKeys}. */
export const rotateEncryptionKeys = ({
  features,
  ...options
}: RotateKeysOptions & { readonly features: readonly FeatureData[] }): Promise<KeyRotation> =>
  rotateKeys(schemaOf(features), allEncryptedColumns(features), options);
