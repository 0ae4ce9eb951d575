import type { HeadSignature, PathStep } from './chain.ts';
import type { evidenceFormat, PartName, SaltedEntry, SealedPart } from './seal.ts';

type Answers = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An act; handwritten or typed content (a name, initials, strokes) is in the ink part. */
export interface SealedAct {
  readonly item: string;
  /** Index into the person part's guests; null: the signer's for all. */
  readonly guest: number | null;
  readonly act: 'agree' | 'initial' | 'sign';
  readonly method?: 'type' | 'draw';
  /** The device's clock. */
  readonly at: string;
}

/** The signed record, without names. Times are ISO UTC. */
export interface SigningCore<Page> {
  readonly kind: 'signing';
  /** The device's id for the signing. */
  readonly signing: string;
  readonly form: {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly hash: string;
  };
  /** BCP 47: the language of everything shown. */
  readonly language: string;
  /** The text that was shown, in order. */
  readonly shown: readonly Page[];
  readonly acts: readonly SealedAct[];
  readonly booking: { readonly bookingSystem: string; readonly id: string } | null;
  readonly day: { readonly date: string; readonly timeZone: string; readonly activities: readonly string[] };
  /** The kind of link by which the guest came. */
  readonly link: { readonly kind: 'booking' | 'guest' | 'desk' | 'kiosk' | 'unknown' };
  readonly times: {
    /** The device's clock. */
    readonly openedAt: string;
    /** The device's clock. */
    readonly signedAt: string;
    /** The service's clock. */
    readonly receivedAt: string;
    /** By how many milliseconds the device's clock was ahead of the service's, if it is known. */
    readonly clockAheadMs?: number;
  };
}

/** Who took part: hashes of a {@link GuestEntry} for each guest, in order, and of a {@link SignerEntry}. */
interface SigningPerson {
  readonly guests: readonly { readonly hash: string }[];
  readonly signer: { readonly hash: string };
}

/** A guest, as an entry beside the record. */
export interface GuestEntry {
  readonly waiver: string;
  readonly bookingGuestId?: string;
  readonly answers: Answers;
}

/** The signer, as an entry beside the record. */
export interface SignerEntry {
  readonly takesPart: boolean;
  readonly guardian?: Readonly<Record<string, string | boolean>>;
}

/** Health answers: for each, the hash of an entry with the value. */
interface SigningSensitive {
  /** The hash of a {@link RevealingEntry}; null if nothing was shown because of a health answer. */
  readonly shown: { readonly hash: string } | null;
  readonly health: readonly {
    /** The guest's index; null: the signer. */
    readonly guest: number | null;
    readonly item: string;
    readonly hash: string;
  }[];
}

/** Items shown because of health answers, and the acts on them: both reveal these answers. */
export interface RevealingEntry<Page> {
  readonly shown: readonly Page[];
  readonly acts: readonly SealedAct[];
}

/** Each point is x, y, and the milliseconds since the first. */
type SealedStroke = readonly (readonly [x: number, y: number, ms: number])[];

/** A handwritten or typed entry beside the record: initials, a typed name, or a drawn signature. */
export type InkEntry =
  | { readonly initials: string }
  | { readonly name: string }
  | { readonly strokes: readonly SealedStroke[]; readonly width: number; readonly height: number };

interface SigningInk {
  /** The hash of an {@link InkEntry}, by the position of its act in the core part. */
  readonly acts: readonly { readonly act: number; readonly hash: string }[];
  /** Hash: hex SHA-256 of the bytes. */
  readonly photos: readonly {
    readonly guest: number | null;
    readonly item: string;
    readonly id: string;
    readonly type: 'image/jpeg' | 'image/png';
    readonly hash: string;
  }[];
}

export interface SigningTrace {
  readonly address: string | null;
  readonly userAgent: string | null;
  readonly pages: readonly { readonly page: string; readonly at: string }[];
  /** By the device's clock: when the page was first seen translated by the browser. Older records never have it. */
  readonly translatedAt?: string;
}

/** The record of a signing, as sealed. `Page` is a page as the form showed it. */
export interface SigningRecord<Page> {
  readonly core: SigningCore<Page>;
  readonly person: SigningPerson;
  readonly sensitive: SigningSensitive;
  readonly ink: SigningInk;
  readonly trace: SigningTrace;
}

interface About {
  /** The leaf of the signing's record. */
  readonly of: string;
  /** ISO UTC, the service's clock. */
  readonly at: string;
}

/** The core part of a later record about a signing: names what was changed or erased, contains no values. */
export type LaterCore =
  | (About & {
      readonly kind: 'void' | 'correction';
      readonly waivers: readonly string[];
      /** Null if unknown. */
      readonly by: string | null;
      /** Names of fields and answers. Their new values are not part of what the guest signed. */
      readonly changed: readonly string[];
    })
  | (About & {
      readonly kind: 'erasure';
      readonly parts: readonly PartName[];
      /** Their hashes. */
      readonly entries: readonly string[];
      /** Their ids. */
      readonly photos: readonly string[];
    });

/**
 * The core part of a later record by which a returning guest confirmed the signing instead of signing again. Its person
 * part has the hash of a {@link ReuseGuestEntry} for each guest, and of a {@link ConfirmerEntry} as the signer.
 */
export interface ReuseCore extends About {
  readonly kind: 'reuse';
  /** The device's id for the confirmation. */
  readonly reuse: string;
  /** The current version at the time of the confirmation. */
  readonly form: SigningCore<never>['form'];
  /** The confirmed signing. */
  readonly signed: { readonly signing: string; readonly version: number; readonly receivedAt: string };
  /** The last day on which the signing is valid. */
  readonly validUntil: string;
  /** BCP 47: the language of the questions. */
  readonly language: string;
  /** The confirmed questions, as shown; `health`: null if there was nothing to ask. */
  readonly question: { readonly text: string; readonly health: string | null };
  readonly booking: SigningCore<never>['booking'];
  readonly day: SigningCore<never>['day'];
  readonly link: SigningCore<never>['link'];
  /** How the guest was identified: by their own link, or by a code mailed to their address. */
  readonly proof: 'link' | 'code';
  /** The device's clock. */
  readonly times: { readonly openedAt: string; readonly confirmedAt: string };
}

/** A guest for whom a signing was confirmed, as an entry beside the record. */
export interface ReuseGuestEntry extends GuestEntry {
  /** The confirmed waiver. */
  readonly reuseOf: string;
}

/** The person who confirmed, as an entry beside the record. */
export interface ConfirmerEntry {
  readonly email: string;
}

/** The record of a confirmation. */
export interface ReuseRecord {
  readonly core: ReuseCore;
  readonly person: SigningPerson;
  readonly sensitive: null;
  readonly ink: null;
  readonly trace: SigningTrace;
}

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
