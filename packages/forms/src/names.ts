/** The purposes of a consent. `electronic`: signing electronically. */
export const consentActs = ['electronic', 'terms', 'privacy', 'health', 'photos', 'marketing'] as const;
export type ConsentAct = (typeof consentActs)[number];

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

/** The ways to sign. */
export const signMethods = ['draw', 'type'] as const;
export type SignMethod = (typeof signMethods)[number];

/** What a schema infers, read-only throughout. */
export type Immutable<Value> = Value extends object
  ? { readonly [Key in keyof Value]: Immutable<Value[Key]> }
  : Value;
