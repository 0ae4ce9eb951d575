import type { ConsentAct, SignMethod } from './content.ts';

/** An answer as it is given: of a photo, the id of one of the signing's photos. */
export type Answer = string | number | boolean | readonly string[];
/** Answers by the ids of their items. */
export type GivenAnswers = Readonly<Record<string, Answer>>;

/** The points of one stroke: x and y in the pad's pixels, milliseconds since the first point. */
export type Stroke = readonly (readonly [x: number, y: number, ms: number])[];

/** What the signer did. `guest`: whose act it is, as an index into `guests`; null: the signer's for all. */
export type Act = { readonly item: string; readonly guest: number | null; readonly at: string } & (
  | { readonly act: 'agree' }
  | { readonly act: 'initial'; readonly initials: string }
  | { readonly act: 'sign'; readonly method: 'type'; readonly name: string }
  | {
      readonly act: 'sign';
      readonly method: 'draw';
      readonly strokes: readonly Stroke[];
      readonly width: number;
      readonly height: number;
    }
);

export interface SigningGuest {
  readonly bookingGuestId?: string;
  readonly answers: GivenAnswers;
}

/** A parent or guardian. The name is needed only of one who does not take part. */
export interface Guardian {
  readonly name?: string;
  readonly relationship?: string;
  readonly dateOfBirth?: string;
  readonly ofAge?: true;
}

export interface Signer {
  /** True: the first guest is the signer. */
  readonly takesPart: boolean;
  readonly guardian?: Guardian;
  /** Answers to items that are asked per signer. */
  readonly answers: GivenAnswers;
}

/** A photo; `data` is base64. */
export interface SigningPhoto {
  readonly id: string;
  readonly type: 'image/jpeg' | 'image/png';
  readonly data: string;
}

/** One signer with the minors they sign for. */
export interface Signing {
  /** A UUID that the device made. */
  readonly id: string;
  readonly form: string;
  readonly version: number;
  readonly language: string;
  readonly guests: readonly SigningGuest[];
  readonly signer: Signer;
  readonly acts: readonly Act[];
  readonly photos?: readonly SigningPhoto[];
  /** By the device's clock, UTC. */
  readonly times: {
    readonly openedAt: string;
    readonly signedAt: string;
    readonly pages?: readonly { readonly page: string; readonly at: string }[];
  };
}

/** A signing that is being filled in. */
export type SigningDraft = Pick<Signing, 'language' | 'guests' | 'signer'> &
  Partial<Pick<Signing, 'acts' | 'photos'>>;

/** A question, a text, a consent or a signature that is shown; `guest`: of whom it is asked, null: once for all. */
export interface ShownItemOf {
  readonly page: string;
  readonly item: string;
  readonly guest: number | null;
}

/** An item that is missing or wrong. */
export interface SigningProblem {
  /** Null: about the people, not an item. */
  readonly item: string | null;
  readonly guest: number | null;
  /** A path in the signing, such as `guests[0].answers.name`. */
  readonly field: string;
  /** For the guest, in their language. */
  readonly message: string;
}

/** The answers of one guest's waiver, by property or item id, with those of the signer. */
export interface SigningWaiver {
  readonly guest: number;
  readonly bookingGuestId?: string;
  readonly answers: Readonly<Record<string, Answer>>;
}

/** An item as it was shown, in the language of the signing. `guests`: of whom it was asked; null: once for all. */
export type ShownItem = { readonly item: string; readonly guests: readonly number[] | null } & (
  | { readonly type: 'text'; readonly text: string; readonly initials: boolean }
  | { readonly type: 'agree'; readonly act: ConsentAct; readonly text: string; readonly required: boolean }
  | {
      readonly type: 'ask';
      /** The name of its answer in the waiver; without it, the item's id. */
      readonly property?: string;
      readonly label: string;
      readonly help?: string;
      readonly options?: readonly { readonly id: string; readonly label: string }[];
      readonly required: boolean;
    }
  | {
      readonly type: 'sign';
      readonly by: 'guest' | 'guardian';
      readonly statement: string;
      readonly methods: readonly SignMethod[];
    }
);

/** A page as it was shown. */
export interface ShownPage {
  readonly page: string;
  readonly title: string;
  readonly items: readonly ShownItem[];
}

/** The result of a signing that is complete. */
export interface SigningResult {
  /** One for each guest, without health answers. */
  readonly waivers: readonly SigningWaiver[];
  /** What staff must see. */
  readonly flags: readonly { readonly guest: number; readonly item: string; readonly label: string }[];
  /** Answers to health questions; they are in no waiver. */
  readonly health: readonly {
    readonly guest: number | null;
    readonly item: string;
    readonly value: Answer;
    readonly keepDays: number | null;
  }[];
  /** The text that was shown, without what reveals a health answer. */
  readonly shown: readonly ShownPage[];
  /** The text that was shown because of a health answer: it reveals that answer. */
  readonly shownForHealth: readonly ShownPage[];
  /** The acts on items that were shown; of several on one item the last. */
  readonly acts: readonly Act[];
  /** The guardian, if there is a minor who needs one. */
  readonly guardian: Guardian | null;
  /** The photos that answers name; they are in no waiver. */
  readonly photos: readonly {
    readonly item: string;
    readonly guest: number | null;
    readonly photo: SigningPhoto;
  }[];
}
