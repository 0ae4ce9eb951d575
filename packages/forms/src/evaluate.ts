import { isInvisibleText } from '@waiver-service/core/name-key';
import type { AskItem, FormContent, Item, Page, When } from './content.ts';
import { ageOn, isDay, type SigningDay } from './day.ts';
import type { Answer, GivenAnswers, ShownItemOf, SigningDraft } from './signing.ts';

/** The facts that conditions test. */
export interface Facts {
  /** The answer to a shown question. */
  readonly answerTo: (item: string) => Answer | undefined;
  readonly age: number | undefined;
  readonly activities: readonly string[];
}

/** An answer as conditions and flags name it: ids of options, codes of countries, `yes` and `no`. */
export function chosen(answer: Answer | undefined): readonly string[] {
  if (answer === undefined) return [];
  if (typeof answer === 'boolean') return [answer ? 'yes' : 'no'];
  return typeof answer === 'object' ? answer : [String(answer)];
}

/** Whether a condition is met; a question without an answer is in no list. */
export function holds(when: When | undefined, facts: Facts): boolean {
  if (when === undefined) return true;
  if ('answer' in when) return chosen(facts.answerTo(when.answer)).some((id) => when.in.includes(id));
  if ('ageBelow' in when) return facts.age !== undefined && facts.age < when.ageBelow;
  if ('activity' in when) return facts.activities.some((id) => when.activity.includes(id));
  if ('all' in when) return when.all.every((part) => holds(part, facts));
  if ('any' in when) return when.any.some((part) => holds(part, facts));
  return !holds(when.not, facts);
}

/** The part of a signing that the evaluation needs. */
export type SigningPeople = Pick<SigningDraft, 'guests' | 'signer'>;

/** A guest of a signing. */
export interface Participant {
  /** In whole years on the day of the activity; undefined while the date of birth is unknown. */
  readonly age: number | undefined;
  readonly minor: boolean;
  /** Whether the guest's own signature is asked for. */
  readonly signs: boolean;
}

/** A shown item. `guest`: who is asked; null: asked once for all. */
export interface Shown {
  readonly page: Page;
  readonly item: Item;
  readonly guest: number | null;
  /** For a question. */
  readonly answer?: Answer | undefined;
}

export interface Evaluation {
  readonly participants: readonly Participant[];
  readonly shown: readonly Shown[];
}

/** The question for the date of birth. */
export function birthDateItem({ pages }: FormContent): AskItem | undefined {
  return pages
    .flatMap(({ items }) => items)
    .find((item): item is AskItem => item.type === 'ask' && item.property === 'dateOfBirth');
}

/** The answer to an item; undefined if it is absent, or empty to the eye. */
function givenAnswer(answers: GivenAnswers, item: string): Answer | undefined {
  // An item may be named `constructor`.
  const answer = Object.hasOwn(answers, item) ? answers[item] : undefined;
  if (typeof answer === 'string') return isInvisibleText(answer) ? undefined : answer.trim();
  return typeof answer === 'object' && answer.length === 0 ? undefined : answer;
}

function participantsOf(
  content: FormContent,
  { guests, signer }: SigningPeople,
  { date }: SigningDay,
): Participant[] {
  const { majority, minors, minorSignsFrom } = content.people;
  const birthDate = birthDateItem(content);
  return guests.map(({ answers }, index) => {
    const born = birthDate === undefined ? undefined : givenAnswer(answers, birthDate.id);
    const age = typeof born === 'string' && isDay(born) && born <= date ? ageOn(born, date) : undefined;
    const isSigner = index === 0 && signer.takesPart;
    const minor = age === undefined ? !isSigner : age < majority;
    const signs =
      minor && minors === 'guardian'
        ? age !== undefined && minorSignsFrom !== undefined && age >= minorSignsFrom
        : isSigner;
    return { age, minor, signs };
  });
}

/** The guests who are asked an item; null: asked once for all. */
function askedOf(item: Item, { minors }: FormContent['people'], participants: readonly Participant[]) {
  if (item.type === 'ask' && item.per === 'guest') return participants.map((_, guest) => guest);
  if (item.type !== 'sign') return [null];
  if (item.by === 'guest') return participants.flatMap(({ signs }, guest) => (signs ? [guest] : []));
  return minors === 'guardian' && participants.some(({ minor }) => minor) ? [null] : [];
}

/** Evaluates a possibly incomplete signing: in one pass, since conditions only look backwards. */
export function evaluate(content: FormContent, people: SigningPeople, day: SigningDay): Evaluation {
  const participants = participantsOf(content, people, day);
  const shown: Shown[] = [];
  const signerAnswers = new Map<string, Answer>();
  const facts = participants.map(({ age }) => {
    const answers = new Map<string, Answer>();
    const answerTo: Facts['answerTo'] = (item) => answers.get(item) ?? signerAnswers.get(item);
    return { answers, age, activities: day.activities, answerTo };
  });
  for (const page of content.pages) {
    for (const item of page.items) {
      const isShownTo = facts.map((one) => holds(page.when, one) && holds(item.when, one));
      for (const guest of askedOf(item, content.people, participants)) {
        if (!(guest === null ? isShownTo.includes(true) : isShownTo[guest])) continue;
        if (item.type !== 'ask') {
          shown.push({ page, item, guest });
          continue;
        }
        const { answers } = (guest === null ? undefined : people.guests[guest]) ?? people.signer;
        const answer = givenAnswer(answers, item.id);
        if (answer !== undefined) {
          ((guest === null ? undefined : facts[guest]?.answers) ?? signerAnswers).set(item.id, answer);
        }
        shown.push({ page, item, guest, answer });
      }
    }
  }
  return { participants, shown };
}

/** The shown items, in order, and who is asked each. The signing may be incomplete. */
export function shownItems(content: FormContent, people: SigningPeople, day: SigningDay): ShownItemOf[] {
  return evaluate(content, people, day).shown.map(({ page, item, guest }) => ({
    page: page.id,
    item: item.id,
    guest,
  }));
}
