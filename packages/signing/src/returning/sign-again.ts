import {
  type Answer,
  type AskItem,
  ageOn,
  checkPeople,
  type FormContent,
  type GivenAnswers,
  type PublishedForm,
  type Sentences,
  type SigningDay,
  type SigningPeople,
  shownItems,
} from '@waiver-service/forms';
import { HttpProblem } from '@waiver-service/http';
import type { Answers, JsonValue } from '@waiver-service/waivers';

const isAnswer = (value: JsonValue | undefined): value is string | number | boolean | string[] =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'));

/** The questions of a form whose answers are in waivers: not health answers, nor photos. */
const questionsOf = ({ pages }: FormContent, per: AskItem['per']) =>
  pages
    .flatMap(({ items }) => items)
    .filter((item): item is AskItem => item.type === 'ask' && item.per === per)
    .filter(({ sensitive, kind }) => sensitive === undefined && kind !== 'photo');

/** The answers of a waiver to the questions of a form, by their items. */
export function answersToForm(form: FormContent, answers: Answers, per: AskItem['per']): GivenAnswers {
  const given: Record<string, Answer> = {};
  for (const { id, property } of questionsOf(form, per)) {
    const name = property ?? id;
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (isAnswer(value)) given[id] = value;
  }
  return given;
}

/** A guest of an earlier signing. */
export interface EarlierGuest {
  /** Of the waiver. */
  readonly answers: Answers;
  /** By item: the guest's own, and the signer's. */
  readonly health: GivenAnswers;
  readonly signerHealth: GivenAnswers;
}

/** These guests as the people of a signing. The signer is first, if among them. */
const asPeople = (
  form: FormContent,
  guests: readonly EarlierGuest[],
  signerTakesPart: boolean,
): SigningPeople => ({
  guests: guests.map(({ answers, health }) => ({
    answers: { ...answersToForm(form, answers, 'guest'), ...health },
  })),
  signer: {
    takesPart: signerTakesPart,
    answers: {
      ...answersToForm(form, guests[0]?.answers ?? {}, 'signer'),
      ...guests[0]?.signerHealth,
    },
  },
});

/** A waiver's answers, as they are sealed; values of other types, added by an app, were not signed. */
export const answersInWaiver = (answers: Answers): GivenAnswers =>
  Object.fromEntries(
    Object.entries(answers).flatMap(([name, value]) => (isAnswer(value) ? [[name, value]] : [])),
  );

/** 409: the earlier signing, which may be voided, erased or expired, can no longer be confirmed. */
export const signAgain = (): HttpProblem =>
  new HttpProblem(
    409,
    'sign_again',
    'What was signed before can no longer be confirmed for this visit: it must be signed again.',
  );

/** An earlier signing, for some of its guests. */
export interface EarlierSigning {
  readonly form: PublishedForm;
  /** The day that it was signed for. */
  readonly day: SigningDay;
  /** `YYYY-MM-DD` */
  readonly validUntil: string;
  /** The returning guests; the signer first, if among them. */
  readonly guests: readonly EarlierGuest[];
  readonly signerTakesPart: boolean;
  /** Whether all answers to health questions are still there. */
  readonly hasHealthAnswers: boolean;
}

/** The visit that a guest comes for. */
export interface Visit {
  readonly day: SigningDay;
  /** The day of the last session, `YYYY-MM-DD`. */
  readonly lastDay: string;
  /** The form that is signed for it; undefined if there is none. */
  readonly form: PublishedForm | undefined;
}

/** Why guests sign again instead of confirming what they signed before. */
export type SignAgainReason =
  | 'expired'
  /** Another form applies to these activities. */
  | 'other-form'
  | 'new-version'
  /** The age rules do not fit, for example for a minor who has come of age since. */
  | 'age'
  /** The form asks or shows more on this day, or for these activities. */
  | 'more-asked'
  /** They were erased when their time was up, so it cannot be asked whether they have changed. */
  | 'health-answers-gone';

const bornOf = ({ answers }: EarlierGuest) =>
  typeof answers.dateOfBirth === 'string' ? answers.dateOfBirth : undefined;

const asksBirthDate = ({ pages }: FormContent) =>
  pages.some(({ items }) => items.some((item) => item.type === 'ask' && item.property === 'dateOfBirth'));

function isAgeWrong(earlier: EarlierSigning, { form, day }: Visit, sentences: Sentences): boolean {
  const { guests, signerTakesPart } = earlier;
  const content = form?.content ?? earlier.form.content;
  const isOfAge = (guest: EarlierGuest) => {
    const born = bornOf(guest);
    return born !== undefined && ageOn(born, day.date) >= content.people.majority;
  };
  if (asksBirthDate(content) && guests.some((guest) => bornOf(guest) === undefined)) return true;
  // Whatever the form says: someone of age cannot confirm what a guardian signed, or what they signed as a minor.
  if (guests.some((guest) => guest.answers.minor === true && isOfAge(guest))) return true;
  const people = asPeople(content, guests, signerTakesPart);
  const problems = checkPeople(content, { language: 'en', ...people }, day, sentences);
  // The guardian was checked when they signed.
  return problems.some(({ guest }) => guest !== null);
}

/** Whether the form as it was signed shows an item for this visit that it did not show before. */
function isMoreAsked(
  { form, guests, signerTakesPart, day: former }: EarlierSigning,
  { day }: Visit,
): boolean {
  const people = asPeople(form.content, guests, signerTakesPart);
  const keyOf = ({ item, guest }: { readonly item: string; readonly guest: number | null }) =>
    `${guest} ${item}`;
  const before = new Set(shownItems(form.content, people, former).map(keyOf));
  return shownItems(form.content, people, day).some((shown) => !before.has(keyOf(shown)));
}

/** Why guests sign again; undefined if they may confirm what they signed before. */
export function signAgainReason(
  earlier: EarlierSigning,
  visit: Visit,
  sentences: Sentences,
): SignAgainReason | undefined {
  const { form } = visit;
  if (earlier.validUntil < visit.lastDay || earlier.validUntil < visit.day.date) return 'expired';
  if (form?.form !== earlier.form.form) return 'other-form';
  if (form.content.reuse === 'version' && form.version !== earlier.form.version) return 'new-version';
  if (!earlier.hasHealthAnswers) return 'health-answers-gone';
  if (isAgeWrong(earlier, visit, sentences)) return 'age';
  return isMoreAsked(earlier, visit) ? 'more-asked' : undefined;
}
