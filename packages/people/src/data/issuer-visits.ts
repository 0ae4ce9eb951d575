import { CannotDecrypt } from '@waiver-service/database';
import { hashSecret, isSameHash } from '@waiver-service/store/features';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { PeopleContext } from './tables.ts';

const visitSchema = z.object({
  id: z.string(),
  expiresAt: z.number(),
  /** Sent to the issuer, which sends it back with the browser. */
  state: z.string(),
  /** Sent to the issuer, which puts it into the token. */
  nonce: z.string(),
  /** Proves that the code is exchanged by the party that requested it (PKCE). */
  verifier: z.string(),
  /** The page that the person requested. */
  landing: z.string(),
});

/** A browser's visit to the issuer's sign-in page. */
export type IssuerVisit = Omit<z.infer<typeof visitSchema>, 'id' | 'expiresAt'>;

const location = { table: 'issuer_visit', column: 'sealed', row: [] };

/**
 * Visits of browsers to an OpenID Connect issuer. The browser keeps its own visit, encrypted, so that it can return to
 * any host and visits of strangers fill no table; only the ids of ended visits are stored.
 */
export function createIssuerVisits({ database, encryption }: PeopleContext) {
  function open(sealed: string) {
    try {
      return visitSchema.parse(JSON.parse(encryption.decrypt(location, sealed)));
    } catch (error) {
      if (error instanceof CannotDecrypt) return undefined;
      throw error;
    }
  }

  return {
    /** @returns the encrypted visit for the browser to keep, valid for `validMs` */
    begin: (visit: IssuerVisit, validMs: number): string =>
      encryption.encrypt(
        location,
        JSON.stringify({ ...visit, id: uuidv7(), expiresAt: Date.now() + validMs }),
      ),
    /**
     * Ends a visit, which uses it up.
     *
     * @returns undefined if the state belongs to another visit, or the visit was used or has expired
     */
    async end(sealed: string, returnedState: string): Promise<IssuerVisit | undefined> {
      const opened = open(sealed);
      if (opened === undefined || opened.expiresAt <= Date.now()) return undefined;
      const { id, expiresAt, ...visit } = opened;
      // Before the visit is used up: a link on a stranger's page, with another state, must not end it.
      if (!isSameHash(hashSecret(visit.state), hashSecret(returnedState))) return undefined;
      await database.deleteFrom('endedSignIn').where('expiresAt', '<=', sql<Date>`now()`).execute();
      const { numInsertedOrUpdatedRows = 0n } = await database
        .insertInto('endedSignIn')
        .values({ id, expiresAt: new Date(expiresAt) })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n ? visit : undefined;
    },
  };
}
