import type { SigningOfWaiver } from '@waiver-service/api';
import type { SignedDocument, Warning } from '@waiver-service/core';
import type { BookingKey } from '@waiver-service/waivers';
import type { ServiceIdentifier } from 'inversify';

/** What the contract's routes show of the page on which guests sign. Given by the feature that has it. */
export interface CheckIn {
  /** Whether a pool has something to sign. */
  hasForm(pool: string): Promise<boolean>;
  /**
   * The token of the link that a booking system gets for its booking: always the same; undefined if it was revoked.
   * @param destination of the installation: a later installation gets other links
   */
  tokenOf(booking: BookingKey, destination: string): Promise<string | undefined>;
  /** Undefined if the waiver was not signed there, or is erased. */
  signingOf(pool: string, waiverId: string): Promise<SigningOfWaiver | undefined>;
  /** The signed document of a waiver, made when it is asked for; `warn` is told why one is left out. */
  documentOf(
    waiver: { readonly pool: string; readonly waiverId: string },
    warn: (warning: Warning) => void,
  ): SignedDocument;
}
export const CheckIn: ServiceIdentifier<CheckIn> = Symbol('CheckIn');
