import { type Encryption, locate, milliseconds } from '@waiver-service/database';
import { sql } from 'kysely';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { hashSecret } from '../keys/secret.ts';
import type { StoreContext } from '../store-context.ts';

/** A visit of an operator's browser to a booking system's authorization page. */
export interface AuthorizationVisit {
  readonly destination: string;
  readonly bookingSystem: string;
  /** The secret of the visit, which the browser brings back; stored as a hash. */
  readonly state: string;
  /** The secret in the cookie of the browser that began it; stored as a hash. */
  readonly browser: string;
  /** For PKCE; stored encrypted. */
  readonly codeVerifier: string;
  readonly maxAgeMs: number;
}

/** Visits to authorization pages that have begun. */
export interface AuthorizationRequests {
  /** Records a visit, replacing a previous one of the installation. */
  begin(visit: AuthorizationVisit): Promise<void>;
  /** The visit that a browser returns from: only once, in time, and in the browser that began it. */
  take(
    bookingSystem: string,
    returned: Pick<AuthorizationVisit, 'state' | 'browser'>,
  ): Promise<Pick<AuthorizationVisit, 'destination' | 'codeVerifier'> | undefined>;
}

const locationOf = (stateHash: Buffer) =>
  locate(encryptedColumns.codeVerifier, stateHash.toString('base64url'));

const decryptVerifier = (encryption: Encryption, stateHash: Buffer, encrypted: string) =>
  encryption.decrypt(locationOf(stateHash), encrypted);

export const createAuthorizationRequests = ({
  database,
  encryption,
}: StoreContext): AuthorizationRequests => ({
  async begin({ destination, bookingSystem, state, browser, codeVerifier, maxAgeMs }) {
    const stateHash = hashSecret(state);
    const verifier = encryption.encrypt(locationOf(stateHash), codeVerifier);
    await database.transaction().execute(async (transaction) => {
      await sql`delete from authorization_request where destination = ${destination} or expires_at < now()`.execute(
        transaction,
      );
      await transaction
        .insertInto('authorizationRequest')
        .values({
          stateHash,
          destination,
          bookingSystem,
          verifierEncrypted: verifier,
          browserHash: hashSecret(browser),
          expiresAt: sql<Date>`now() + ${milliseconds(maxAgeMs)}`,
        })
        .execute();
    });
  },
  async take(bookingSystem, { state, browser }) {
    const stateHash = hashSecret(state);
    const { rows } = await sql<{ destination: string; verifier: string; inTime: boolean }>`
delete from authorization_request
where state_hash = ${stateHash} and booking_system = ${bookingSystem} and browser_hash = ${hashSecret(browser)}
returning destination, verifier_encrypted as verifier, expires_at > now() as in_time`.execute(database);
    const [row] = rows;
    if (!row?.inTime) return undefined;
    return {
      destination: row.destination,
      codeVerifier: decryptVerifier(encryption, stateHash, row.verifier),
    };
  },
});
