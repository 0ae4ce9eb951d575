import type { HeadSignature } from './chain.ts';
import type { PathStep } from './day-root.ts';
import type { evidenceFormat } from './hash.ts';
import type { PartName, SaltedEntry, SealedPart } from './seal.ts';

/** A part that was erased, or is left out of this file. */
export interface MissingPart {
  readonly name: PartName;
  readonly hash: string;
}

/** A photo of the ink part, which has the SHA-256 of its bytes. */
export interface EvidencePhoto {
  readonly id: string;
  /** Base64. */
  readonly data: string;
}

export interface EvidenceRecord {
  readonly leaf: string;
  readonly parts: readonly (SealedPart | MissingPart)[];
  /** Values that were neither erased nor left out; a part that is in this file has the hash of each. */
  readonly entries: readonly SaltedEntry[];
  /** Photos that were neither erased nor left out. */
  readonly photos: readonly EvidencePhoto[];
}

/**
 * An entry of the pool's chain. Where the next entry of the file has not the next sequence number, entries of other
 * records are left out: each run of entries ends with one that has a signature.
 */
export interface ChainEntry {
  readonly sequence: number;
  /** The head before. */
  readonly former: string;
  readonly leaf: string;
  readonly head: string;
  readonly signed?: HeadSignature;
}

/** A time stamp of the root over several pools' heads. */
export interface EvidenceStamp {
  /** Whose head was in the root. The file's chain has all entries from the record to this one. */
  readonly sequence: number;
  readonly path: readonly PathStep[];
  readonly root: string;
  /** Base64 of the time-stamp token (CMS, DER) of RFC 3161. */
  readonly token: string;
}

/** The evidence of one signing, to be given to others. No member is optional unless it says so; there are no others. */
export interface EvidenceFile {
  readonly format: typeof evidenceFormat;
  readonly pool: string;
  /** PEM (SPKI) of the pool's Ed25519 key. */
  readonly publicKey: string;
  readonly record: EvidenceRecord;
  /**
   * Records about the first one that are in the chain, in its order: voids, corrections, erasures. In the file of a waiver that
   * a returning guest confirmed also the confirmation, with its entries, and the records about that one.
   */
  readonly later: readonly EvidenceRecord[];
  /** In ascending order. Empty while the record is not yet in the chain. */
  readonly chain: readonly ChainEntry[];
  readonly stamp?: EvidenceStamp;
}
