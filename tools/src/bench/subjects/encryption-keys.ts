import { randomBytes } from 'node:crypto';
import type { EncryptionKey } from '@waiver-service/store';

/** Keys for a store whose data nobody will read again. */
export function someEncryptionKeys(): readonly EncryptionKey[] {
  return [{ id: 'bench', key: randomBytes(32) }];
}
