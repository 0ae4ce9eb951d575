import { createHmac } from 'node:crypto';
import { isSameSecret } from '@waiver-service/plugin-kit';

/**
 * Binds sessions and sign-in codes to the admin token, which is in no database: replacing it invalidates all of its
 * sessions and sign-in codes.
 */
export interface AdminSeal {
  /** Only for the admin token's secrets: a person who has a sealed secret could test guesses of the admin token. */
  seal(secret: string): string;
  /** The secret in a sealed text, and whether this admin token sealed it. */
  open(text: string): { readonly secret: string; readonly isSealed: boolean };
}

// No secret of this service contains it.
const separator = '.';

/** Creates the {@link AdminSeal} of an admin token. */
export function createAdminSeal(adminToken: string): AdminSeal {
  const sealOf = (secret: string) => createHmac('sha256', adminToken).update(secret).digest('base64url');
  return {
    seal: (secret) => `${secret}${separator}${sealOf(secret)}`,
    open(text) {
      const [secret = '', seal] = text.split(separator, 2);
      return { secret, isSealed: isSameSecret(seal, sealOf(secret)) };
    },
  };
}
