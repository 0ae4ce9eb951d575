import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { CannotDecrypt } from '../encryption/encryption.ts';
import type { StoreContext } from '../store-context.ts';
import { isSameHash } from './key-info.ts';
import { hashSecret } from './secret.ts';

const visitSchema = z.object({
  id: z.string(),
  expiresAt: z.number(),
  /** Sent to the issuer, who sends it back with the browser. */
  state: z.string(),
  /** Sent to the issuer, who puts it into the token. */
  nonce: z.string(),
  /** Proves that the code is exchanged by the one who requested it (PKCE). */
  verifier: z.string(),
  /** The page that the person wanted. */
  landing: z.string(),
});

/** A browser's visit to the issuer's sign-in page. */
export type IssuerVisit = Omit<z.infer<typeof visitSchema>, 'id' | 'expiresAt'>;

/**
 * Visits of browsers to an OpenID Connect issuer. The browser keeps its own visit, encrypted, so that it can come back
 * to any host, and so that visits of strangers fill no table; only that one has come back is stored.
 */
export interface IssuerVisits {
  /** @returns the visit as the browser keeps it: unreadable, and valid for `validMs` */
  begin(visit: IssuerVisit, validMs: number): string;
  /**
   * Ends a visit, which is used up by this.
   *
   * @returns undefined if the state is another's, it was used, or is too old
   */
  end(sealed: string, state: string): Promise<IssuerVisit | undefined>;
}

const location = { table: 'issuer_visit', column: 'sealed', row: [] };

/** Creates the part of the store for visits to an issuer. */
export function createIssuerVisits({ database, encryption }: StoreContext): IssuerVisits {
  function open(sealed: string) {
    try {
      return visitSchema.parse(JSON.parse(encryption.decrypt(location, sealed)));
    } catch (error) {
      if (error instanceof CannotDecrypt) return undefined;
      throw error;
    }
  }

  return {
    begin: (visit, validMs) =>
      encryption.encrypt(
        location,
        JSON.stringify({ ...visit, id: uuidv7(), expiresAt: Date.now() + validMs }),
      ),
    async end(sealed, returnedState) {
      const opened = open(sealed);
      if (opened === undefined || opened.expiresAt <= Date.now()) return undefined;
      const { id, expiresAt, ...visit } = opened;
      // Not used up by another state: a link on a stranger's page must not end a visit.
      if (!isSameHash(hashSecret(visit.state), hashSecret(returnedState))) return undefined;
      await sql`delete from ended_sign_in where expires_at <= now()`.execute(database);
      const { numAffectedRows } = await sql`
insert into ended_sign_in (id, expires_at) values (${id}, ${new Date(expiresAt)}) on conflict do nothing`.execute(
        database,
      );
      return numAffectedRows === 1n ? visit : undefined;
    },
  };
}
