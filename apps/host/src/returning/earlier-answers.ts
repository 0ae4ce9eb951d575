import type { Answer, AskItem, FormContent, GivenAnswers, SigningPeople } from '@waiver-service/forms';
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
export const asPeople = (
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
