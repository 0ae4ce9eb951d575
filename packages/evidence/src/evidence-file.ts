import type { HeadSignature } from './chain.ts';
import type { PathStep } from './day-root.ts';
import type { evidenceFormat } from './hash.ts';
import type { PartName, SaltedEntry, SealedPart } from './seal.ts';

/** A part that was erased, or omitted from this file. */
export interface MissingPart {
  readonly name: PartName;
  readonly hash: string;
}

/** A photo of the ink part, which contains the SHA-256 of its bytes. */
export interface EvidencePhoto {
  readonly id: string;
  /** Base64. */
  readonly data: string;
}

export interface EvidenceRecord {
  readonly leaf: string;
  readonly parts: readonly (SealedPart | MissingPart)[];
  /** Values neither erased nor omitted; a part in this file has each one's hash. */
  readonly entries: readonly SaltedEntry[];
  /** Photos neither erased nor omitted. */
  readonly photos: readonly EvidencePhoto[];
}

/**
 * An entry of the pool's chain. A gap in the sequence numbers means that other records' entries are omitted: each run
 * of entries ends with a signed one.
 */
export interface ChainEntry {
  readonly sequence: number;
  /** The previous head. */
  readonly former: string;
  readonly leaf: string;
  readonly head: string;
  readonly signed?: HeadSignature;
}

/** A time stamp of the root over several pools' heads. */
export interface EvidenceStamp {
  /** The sequence number of the head in the root. The chain has all entries from the record to this one. */
  readonly sequence: number;
  readonly path: readonly PathStep[];
  readonly root: string;
  /** Base64 of the time-stamp token (CMS, DER) of RFC 3161. */
  readonly token: string;
}

/** One signing's evidence, for others. Members are required unless marked optional; no others are allowed. */
export interface EvidenceFile {
  readonly format: typeof evidenceFormat;
  readonly pool: string;
  /** PEM (SPKI) of the pool's Ed25519 key. */
  readonly publicKey: string;
  readonly record: EvidenceRecord;
  /**
   * Records in the chain about the first one, in order: voids, corrections, erasures. The file of a waiver that a
   * returning guest confirmed also has the confirmation, with its entries, and the records about it.
   */
  readonly later: readonly EvidenceRecord[];
  /** In ascending order. Empty while the record is not yet in the chain. */
  readonly chain: readonly ChainEntry[];
  readonly stamp?: EvidenceStamp;
}
