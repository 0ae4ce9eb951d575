import type { Property } from './names.ts';

/** The limits of a form. Lengths are in UTF-16 code units. */
export const formLimits = {
  languages: 20,
  pages: 30,
  itemsPerPage: 60,
  items: 200,
  options: 100,
  activities: 200,
  /** How deeply `all`, `any` and `not` may be nested. */
  conditionDepth: 5,
  conditionParts: 20,
  label: 300,
  text: 20_000,
  age: 120,
  minors: 20,
  days: 3650,
} as const;

/** The limits of a signing. Lengths are in UTF-16 code units. */
export const signingLimits = {
  /** The signer and the most minors that a form may allow. */
  guests: 1 + formLimits.minors,
  answers: formLimits.items,
  /** For an answer to `text`, unless the item sets a lower limit. */
  line: 200,
  /** For an answer to `long`, and the most that an item may allow. */
  long: 4000,
  email: 254,
  phone: 40,
  choices: formLimits.options,
  name: 200,
  initials: 10,
  /** Each guest may sign each item that asks for it. */
  acts: 500,
  strokes: 200,
  points: 5000,
  coordinate: 10_000,
  strokeMs: 3_600_000,
  /** For named answers, in centimeters and kilograms. */
  propertyMax: { height: 300, weight: 700 } as Readonly<Partial<Record<Property, number>>>,
  /** Finished pages, each as often as it was finished. */
  pages: 10 * formLimits.pages,
  photos: 12,
  photoBytes: 400 * 1024,
} as const;
