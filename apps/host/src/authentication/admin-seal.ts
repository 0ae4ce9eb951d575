import { createHmac } from 'node:crypto';
import { isSameSecret } from '@waiver-service/plugin-kit';
import { inject, injectable } from 'inversify';
import { AdminToken } from '../given.ts';

// No secret of this service contains it.
const separator = '.';

/**
 * Binds sessions and sign-in codes to the admin token, which is in no database: replacing it invalidates all of its
 * sessions and sign-in codes.
 */
@injectable()
export class AdminSeal {
  constructor(@inject(AdminToken) private readonly adminToken: AdminToken) {}

  /** Only for the admin token's secrets: a person who has a sealed secret could test guesses of the admin token. */
  seal(secret: string): string {
    return `${secret}${separator}${this.sealOf(secret)}`;
  }

  /** The secret in a sealed text, and whether this admin token sealed it. */
  open(text: string): { readonly secret: string; readonly isSealed: boolean } {
    const [secret = '', seal] = text.split(separator, 2);
    return { secret, isSealed: isSameSecret(seal, this.sealOf(secret)) };
  }

  private sealOf(secret: string): string {
    return createHmac('sha256', this.adminToken).update(secret).digest('base64url');
  }
}
