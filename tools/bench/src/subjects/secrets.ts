import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '@waiver-service/database';

const key = randomBytes(32);

/** The key of this run's stores and hosts. */
export const encryptionKeys: readonly EncryptionKey[] = [{ id: 'bench', key }];

/** The same, as a host's `ENCRYPTION_KEYS`. */
export const encryptionKeysText = `bench:${key.toString('base64')}`;

/** The bearer token of this run's hosts. */
export const adminToken = randomBytes(32).toString('hex');
