import type { ConsentAct, SignMethod } from './content.ts';

/** An answer as given; for a photo, the id of one of the signing's photos. */
export type Answer = string | number | boolean | readonly string[];
/** Answers by the ids of their items. */
export type GivenAnswers = Readonly<Record<string, Answer>>;

/** The points of one stroke: x and y in the pad's pixels, milliseconds since the first point. */
export type Stroke = readonly (readonly [x: number, y: number, ms: number])[];

/** An act of the signer. `guest`: on whose behalf, as an index into `guests`; null: for all. */
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

/** A parent or guardian. The name is required only if they do not take part. */
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

/** One signer, and the minors for whom they sign. */
export interface Signing {
  /** A UUID from the device. */
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
    /** When the page was first seen translated by the browser. */
    readonly translatedAt?: string;
  };
}

/** A signing that is being filled in. */
export type SigningDraft = Pick<Signing, 'language' | 'guests' | 'signer'> &
  Partial<Pick<Signing, 'acts' | 'photos'>>;

/** A shown question, text, consent or signature; `guest`: who is asked, null: asked once for all. */
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

/** The answers of one guest's waiver, by property or item id, including the signer's. */
export interface SigningWaiver {
  readonly guest: number;
  readonly bookingGuestId?: string;
  readonly answers: Readonly<Record<string, Answer>>;
}

/** An item as shown, in the signing's language. `guests`: who was asked; null: asked once for all. */
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

/** A page as shown. */
export interface ShownPage {
  readonly page: string;
  readonly title: string;
  readonly items: readonly ShownItem[];
}

/** The result of a complete signing. */
export interface SigningResult {
  /** One for each guest, without health answers. */
  readonly waivers: readonly SigningWaiver[];
  /** Labels for staff. */
  readonly flags: readonly { readonly guest: number; readonly item: string; readonly label: string }[];
  /** Answers to health questions, which no waiver contains. */
  readonly health: readonly {
    readonly guest: number | null;
    readonly item: string;
    readonly value: Answer;
    readonly keepDays: number | null;
  }[];
  /** The text that was shown, without anything that reveals a health answer. */
  readonly shown: readonly ShownPage[];
  /** The text shown because of a health answer, which it reveals. */
  readonly shownForHealth: readonly ShownPage[];
  /** The acts on shown items; if an item has several, the last. */
  readonly acts: readonly Act[];
  /** The guardian, if a minor needs one. */
  readonly guardian: Guardian | null;
  /** The photos that answers refer to, which no waiver contains. */
  readonly photos: readonly {
    readonly item: string;
    readonly guest: number | null;
    readonly photo: SigningPhoto;
  }[];
}
