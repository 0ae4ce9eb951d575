import type { Answer, AskItem, FormContent, Guardian, Item } from '@waiver-service/forms';
import type { BookedGuest, CheckInSession } from '../host/calls.ts';
import { pickLanguage } from '../text/words.ts';
import { bringsChildren, type Draft, type DraftPerson, guestsOf, newId, takesPart } from './draft.ts';

const sayWhoSomeoneIs: readonly string[] = ['name', 'email', 'phoneNumber', 'dateOfBirth'];

const isUnconditionalQuestion = (item: Item): item is AskItem =>
  item.type === 'ask' && item.when === undefined;

/**
 * The questions asked on the first screens: those that identify a person, on whichever page they are, since the other
 * questions depend on who takes part; and the form's whole first page, if it asks everyone the same.
 */
export function identityItems({ pages }: FormContent): readonly AskItem[] {
  const unconditional = pages.filter(({ when }) => when === undefined);
  const [first] = pages;
  const isAboutPeople = first?.when === undefined && first?.items.every(isUnconditionalQuestion);
  return unconditional.flatMap((page) =>
    page.items
      .filter(isUnconditionalQuestion)
      .filter(
        ({ property }) =>
          (page === first && isAboutPeople) || (property !== undefined && sayWhoSomeoneIs.includes(property)),
      ),
  );
}

export const isIdentity = (content: FormContent, item: Item): boolean =>
  identityItems(content).some(({ id }) => id === item.id);

/** For whom a form lets someone sign, the most common choice first. */
export const signingForChoices = ({ people }: FormContent): readonly Draft['signingFor'][] =>
  people.minors !== 'guardian' ? ['self'] : people.adults ? ['self', 'both', 'children'] : ['children'];

/** The details that a link to one guest provides, as answers to the questions to each guest, or to the signer. */
function prefilled(
  content: FormContent,
  { prefill = {} }: BookedGuest,
  of: 'guest' | 'signer',
): DraftPerson['answers'] {
  const answers: Record<string, Answer> = {};
  for (const { id, property, per } of identityItems(content)) {
    const value = property !== undefined && Object.hasOwn(prefill, property) ? prefill[property] : undefined;
    if (per === of && typeof value === 'string') answers[id] = value;
  }
  return answers;
}

/**
 * Sets which guest of the booking a person is (null: none of them), and fills in what is known about them without
 * overwriting anything typed.
 */
export function asBookedGuest(
  person: DraftPerson,
  guest: BookedGuest | null,
  content: FormContent,
): DraftPerson {
  if (guest === null) return { ...person, bookingGuestId: null };
  const answers = { ...prefilled(content, guest, 'guest'), ...person.answers };
  return { ...person, bookingGuestId: guest.bookingGuestId, answers };
}

export const newPerson = (): DraftPerson => ({ key: newId(), answers: {} });

/** A guest's name, as typed. */
export function nameOf(content: FormContent, { answers }: DraftPerson): string {
  const item = identityItems(content).find(({ property }) => property === 'name');
  const name = item === undefined ? undefined : answers[item.id];
  return typeof name === 'string' ? name.trim() : '';
}

/** Removes the signatures, which cover everyone signed for and must be repeated when that changes. */
const withoutSignatures = (draft: Draft): Draft => ({
  ...draft,
  acts: draft.acts.filter(({ act }) => act !== 'sign'),
});

/** Removes the acts of people who are no longer among the guests. */
const withoutActsOfOthers = (draft: Draft): Draft => {
  const keys = guestsOf(draft).map(({ key }) => key);
  return { ...draft, acts: draft.acts.filter(({ person }) => person === null || keys.includes(person)) };
};

/** Changes for whom someone signs. A signature covers only those named before it, so signatures are removed. */
export const withSigningFor = (draft: Draft, signingFor: Draft['signingFor']): Draft => {
  const children = signingFor !== 'self' && draft.children.length === 0 ? [newPerson()] : draft.children;
  return signingFor === draft.signingFor
    ? draft
    : withoutActsOfOthers(withoutSignatures({ ...draft, signingFor, children }));
};

export const withAnotherChild = (draft: Draft): Draft =>
  withoutSignatures({ ...draft, children: [...draft.children, newPerson()] });

export const withoutChild = (draft: Draft, key: string): Draft =>
  withoutActsOfOthers({ ...draft, children: draft.children.filter((child) => child.key !== key) });

/** The details asked of a guardian, depending on the form and on whether they take part. */
interface GuardianQuestions {
  readonly name: boolean;
  readonly relationship: 'ask' | 'require' | undefined;
  readonly age: 'birthDate' | 'tick' | undefined;
}

export function guardianQuestions(content: FormContent, draft: Draft): GuardianQuestions {
  const isGuardian = bringsChildren(draft);
  const asksAge = isGuardian && !takesPart(draft);
  return {
    name: asksAge,
    relationship: isGuardian ? content.guardian?.relationship : undefined,
    age: asksAge ? content.guardian?.age : undefined,
  };
}

/** The guardian's answers, only to the details that are asked. */
export function guardianOf(content: FormContent, draft: Draft): Guardian | undefined {
  const asked = guardianQuestions(content, draft);
  const { name, relationship, dateOfBirth, ofAge } = draft.guardian;
  const guardian = {
    ...(asked.name && name !== undefined ? { name } : {}),
    ...(asked.relationship !== undefined && relationship?.trim() ? { relationship } : {}),
    ...(asked.age === 'birthDate' && dateOfBirth !== undefined ? { dateOfBirth } : {}),
    ...(asked.age === 'tick' && ofAge ? { ofAge } : {}),
  };
  return Object.keys(guardian).length > 0 ? guardian : undefined;
}

export const guardianName = (content: FormContent, draft: Draft): string =>
  takesPart(draft) ? nameOf(content, draft.self) : (draft.guardian.name?.trim() ?? '');

/** An empty draft, prefilled with what the link provides. */
export function newDraft(session: CheckInSession, languages: readonly string[], now: Date): Draft {
  const { form, link, guests } = session;
  const [first = 'en', ...others] = form.content.languages;
  const [signingFor = 'self'] = signingForChoices(form.content);
  // A link to one guest names the signer or, if the form can only be signed for children, the child.
  const named = link.kind === 'guest' ? guests[0] : undefined;
  const person = named === undefined ? newPerson() : asBookedGuest(newPerson(), named, form.content);
  const isSigner = named !== undefined && signingFor !== 'children';
  return {
    id: newId(),
    form,
    language: pickLanguage(languages, [first, ...others]),
    openedAt: now.toISOString(),
    signingFor,
    self: signingFor === 'children' ? newPerson() : person,
    children: signingFor === 'children' ? [person] : [],
    guardian: {},
    signerAnswers: isSigner ? prefilled(form.content, named, 'signer') : {},
    acts: [],
    photos: [],
    pages: [],
  };
}
