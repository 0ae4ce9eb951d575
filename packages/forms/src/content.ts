/** A text in each of the form's languages, by BCP 47 tag. {@link parseFormText} defines the markup. */
export type Text = Readonly<Record<string, string>>;

/** When a page or an item is shown. Conditions look backwards: at answers to items above, never below. */
export type When =
  /** One of these was the answer: option ids, `yes` and `no`, or country codes. */
  | { readonly answer: string; readonly in: readonly string[] }
  /** The guest is younger on the day of the activity. False while the date of birth is unknown. */
  | { readonly ageBelow: number }
  /** The guest takes part in one of these activities. */
  | { readonly activity: readonly string[] }
  | { readonly all: readonly When[] }
  | { readonly any: readonly When[] }
  | { readonly not: When };

interface ItemBase {
  /** Unique in the form. Keeps its meaning from version to version: answers are stored under it. */
  readonly id: string;
  readonly when?: When;
}

/** A text to read. */
export interface TextItem extends ItemBase {
  readonly type: 'text';
  readonly text: Text;
  /** The signer enters their initials below it. */
  readonly initials?: boolean;
}

/** The purposes of a consent. `electronic`: signing electronically. */
export const consentActs = ['electronic', 'terms', 'privacy', 'health', 'photos', 'marketing'] as const;
export type ConsentAct = (typeof consentActs)[number];

/** A box that the signer ticks, for all guests of the signing. */
export interface AgreeItem extends ItemBase {
  readonly type: 'agree';
  readonly act: ConsentAct;
  readonly text: Text;
  readonly required: boolean;
}

/** The kinds of answers. `text`: one line, `long`: several; `photo`: the id of one of the signing's photos. */
export const askKinds = [
  'text',
  'long',
  'email',
  'phone',
  'date',
  'number',
  'yesno',
  'choice',
  'choices',
  'country',
  'photo',
] as const;
export type AskKind = (typeof askKinds)[number];

/** An option to choose. */
export interface Option {
  readonly id: string;
  readonly label: Text;
}

/** The named answers that a question may fill, and the question kinds that can. */
export const propertyKinds = {
  name: ['text'],
  email: ['email'],
  phoneNumber: ['phone'],
  dateOfBirth: ['date'],
  howHeard: ['text', 'long', 'choice'],
  emergencyName: ['text'],
  emergencyPhone: ['phone'],
  emergencyRelationship: ['text', 'choice'],
  height: ['number'],
  weight: ['number'],
  notes: ['text', 'long'],
  feedback: ['text', 'long'],
} as const satisfies Readonly<Record<string, readonly AskKind[]>>;
export type Property = keyof typeof propertyKinds;

/** A question. */
export interface AskItem extends ItemBase {
  readonly type: 'ask';
  readonly kind: AskKind;
  readonly label: Text;
  readonly help?: Text;
  readonly required: boolean;
  /** `guest`: each guest answers. `signer`: answered once, and copied to each guest. */
  readonly per: 'guest' | 'signer';
  /** The named answer that it fills; default: the answer is stored under the item's id. */
  readonly property?: Property;
  /** For `choice` and `choices`. */
  readonly options?: readonly Option[];
  /** For `number` the value, for `text` and `long` the length, for `choices` the count. */
  readonly min?: number;
  readonly max?: number;
  /** Encrypted, and never in a waiver's answers. Requires an earlier required consent of act `health`. */
  readonly sensitive?: 'health';
  /** Staff see the label if one of these was the answer (`yes` and `no`, or option ids). */
  readonly flag?: { readonly on: readonly string[]; readonly label: string };
  /** Days after which a health answer is deleted. */
  readonly keepDays?: number;
}

/** The ways to sign. */
export const signMethods = ['draw', 'type'] as const;
export type SignMethod = (typeof signMethods)[number];

/** A signature. `guest`: by each guest who signs; `guardian`: once, by the guardian, if there is a minor. */
export interface SignItem extends ItemBase {
  readonly type: 'sign';
  readonly by: 'guest' | 'guardian';
  readonly statement: Text;
  readonly methods: readonly SignMethod[];
}

export type Item = TextItem | AgreeItem | AskItem | SignItem;

export interface Page {
  readonly id: string;
  readonly title: Text;
  readonly when?: When;
  readonly items: readonly Item[];
}

/** Who may take part and who signs for them. Ages are in whole years on the day of the activity. */
export interface People {
  readonly adults: boolean;
  /** `guardian`: a parent or guardian signs for them; `alone`: they sign for themselves. */
  readonly minors: 'no' | 'guardian' | 'alone';
  /** The age at which a person signs for themselves. */
  readonly majority: number;
  readonly minAge?: number;
  readonly maxAge?: number;
  /** The most minors in one signing. */
  readonly maxMinors: number;
  /** Minors of at least this age also sign, in addition to their guardian. */
  readonly minorSignsFrom?: number;
}

/** Valid for that day, for a number of days after it, or until the next such day of the year (`MM-DD`). */
export type Validity = { readonly visit: true } | { readonly days: number } | { readonly until: string };

/** The content of one version of a form. */
export interface FormContent {
  /** BCP 47 tags; each text has all of them. The first is the default. */
  readonly languages: readonly string[];
  /** The language whose text is binding, if translations are only for convenience. */
  readonly binding?: string;
  /** Ids of the activities that the form is for; empty: all. */
  readonly activities: readonly string[];
  readonly validity: Validity;
  /** `version`: a new version must be signed again; `form`: a signing of an earlier version remains valid. */
  readonly reuse: 'version' | 'form';
  readonly people: People;
  /** Questions to a guardian. Required if `people.minors` is `guardian`. */
  readonly guardian?: { readonly relationship: 'ask' | 'require'; readonly age: 'birthDate' | 'tick' };
  readonly pages: readonly Page[];
}

/** A published version; it never changes. */
export interface PublishedForm {
  readonly form: string;
  /** From 1. */
  readonly version: number;
  /** Hex SHA-256 of the content as canonical JSON (RFC 8785). */
  readonly hash: string;
  readonly content: FormContent;
}

/** The console's message to the check-in page in its frame: a form that is being edited. */
export interface FormPreview {
  readonly kind: 'form-preview';
  readonly content: FormContent;
  readonly language: string;
  /** The id of the page to show. */
  readonly page: string | undefined;
  readonly poolName: string;
}

/** The local day of the activity. */
export interface SigningDay {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly activities: readonly string[];
}
