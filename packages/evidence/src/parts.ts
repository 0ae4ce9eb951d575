import type { PartName } from './seal.ts';

type Answers = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** An act; what the hand wrote (a name, initials, strokes) is in the ink part. */
export interface SealedAct {
  readonly item: string;
  /** Position in the person part's guests; null: the signer's for all. */
  readonly guest: number | null;
  readonly act: 'agree' | 'initial' | 'sign';
  readonly method?: 'type' | 'draw';
  /** The device's clock. */
  readonly at: string;
}

/** The signed record, without names. Times are ISO UTC. */
export interface SigningCore<Page> {
  readonly kind: 'signing';
  /** The id that the device gave the signing. */
  readonly signing: string;
  readonly form: {
    readonly id: string;
    readonly name: string;
    readonly version: number;
    readonly hash: string;
  };
  /** BCP 47: of everything shown. */
  readonly language: string;
  /** The text that was shown, in order. */
  readonly shown: readonly Page[];
  readonly acts: readonly SealedAct[];
  readonly booking: { readonly bookingSystem: string; readonly id: string } | null;
  readonly day: { readonly date: string; readonly timeZone: string; readonly activities: readonly string[] };
  /** How the guest was reached. */
  readonly link: { readonly kind: 'booking' | 'guest' | 'desk' | 'kiosk' | 'unknown' };
  readonly times: {
    /** The device's clock. */
    readonly openedAt: string;
    /** The device's clock. */
    readonly signedAt: string;
    /** The service's clock. */
    readonly receivedAt: string;
  };
}

/** Who took part: the hash of a {@link GuestEntry} for each guest, in order, and of a {@link SignerEntry}. */
export interface SigningPerson {
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

/** Health answers: the hash of an entry with the value for each. */
export interface SigningSensitive {
  /** The hash of a {@link RevealingEntry}; null if nothing was shown because of a health answer. */
  readonly shown: { readonly hash: string } | null;
  readonly health: readonly {
    /** Position of the guest; null: the signer. */
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
export type SealedStroke = readonly (readonly [x: number, y: number, ms: number])[];

/** A handwritten or typed entry beside the record: initials, a typed name, or a drawn signature. */
export type InkEntry =
  | { readonly initials: string }
  | { readonly name: string }
  | { readonly strokes: readonly SealedStroke[]; readonly width: number; readonly height: number };

export interface SigningInk {
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
}

/** The record of a signing, as it is sealed. `Page` is a page as the form showed it. */
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

/** The core part of a later record, about a signing. It names what was changed or erased, and holds no values. */
export type LaterCore =
  | (About & {
      readonly kind: 'void' | 'correction';
      readonly waivers: readonly string[];
      /** Null: not known. */
      readonly by: string | null;
      /** Names of fields and answers. What they are now is no part of what the guest signed. */
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
 * The core part of a later record by which a returning guest confirmed the signing instead of signing again. Its person part
 * has the hash of a {@link ReuseGuestEntry} for each guest, and as the signer's that of a {@link ConfirmerEntry}.
 */
export interface ReuseCore extends About {
  readonly kind: 'reuse';
  /** The id that the device gave the confirmation. */
  readonly reuse: string;
  /** The version that guests signed when it was confirmed. */
  readonly form: SigningCore<never>['form'];
  /** The signing that is confirmed. */
  readonly signed: { readonly signing: string; readonly version: number; readonly receivedAt: string };
  /** The last day on which the signing is valid. */
  readonly validUntil: string;
  /** BCP 47: of the questions. */
  readonly language: string;
  /** The questions that the guest confirmed, as they were shown; `health`: null if there was nothing to ask. */
  readonly question: { readonly text: string; readonly health: string | null };
  readonly booking: SigningCore<never>['booking'];
  readonly day: SigningCore<never>['day'];
  readonly link: SigningCore<never>['link'];
  /** How the guest was known: by their own link, or by a code that was mailed to their address. */
  readonly proof: 'link' | 'code';
  /** By the device's clock. */
  readonly times: { readonly openedAt: string; readonly confirmedAt: string };
}

/** A guest for whom a signing was confirmed, as an entry beside the record. */
export interface ReuseGuestEntry extends GuestEntry {
  /** The waiver that was confirmed. */
  readonly reuseOf: string;
}

/** The person who confirmed, as an entry beside the record. */
export interface ConfirmerEntry {
  readonly email: string;
}

/** The record of such a confirmation. */
export interface ReuseRecord {
  readonly core: ReuseCore;
  readonly person: SigningPerson;
  readonly sensitive: null;
  readonly ink: null;
  readonly trace: SigningTrace;
}
