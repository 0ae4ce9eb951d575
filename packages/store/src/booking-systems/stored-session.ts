import type { Session } from '@waiver-service/core';
import { z } from 'zod';
import { encryptedColumns } from '../encryption/encrypted-columns.ts';
import { type Encryption, locate } from '../encryption/encryption.ts';

/** A session as stored. */
export interface StoredSession {
  readonly session: Session;
  readonly issuedAt: Date;
  /** Identifies the credentials and the address that it was opened with. */
  readonly openedWith: string;
}

const date = z.iso.datetime().transform((text) => new Date(text));

const storedSchema = z.object({
  session: z.object({
    accessToken: z.string(),
    expiresAt: date.optional(),
    refreshToken: z.string().optional(),
    data: z.record(z.string(), z.string()).optional(),
  }),
  issuedAt: date,
  openedWith: z.string(),
});

export const encryptSession = (encryption: Encryption, destination: string, session: StoredSession): string =>
  encryption.encrypt(locate(encryptedColumns.session, destination), JSON.stringify(session));

/** @throws CannotDecrypt */
export const decryptSession = (
  encryption: Encryption,
  destination: string,
  encrypted: string,
): StoredSession =>
  storedSchema.parse(
    JSON.parse(encryption.decrypt(locate(encryptedColumns.session, destination), encrypted)),
  );
