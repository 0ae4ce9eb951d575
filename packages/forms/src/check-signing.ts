import { checkAct, checkAnswer, hasLetter } from './check-items.ts';
import type { FormContent } from './content.ts';
import { ageOn, isDay, type SigningDay } from './day.ts';
import { birthDateItem, type Evaluation, evaluate, type Participant, type Shown } from './evaluate.ts';
import { type Sentences, sentenceWith } from './sentences/sentences.ts';
import type {
  Guardian,
  Signing,
  SigningDraft,
  SigningProblem,
  SigningResult,
  SigningWaiver,
} from './signing.ts';
import { signingResult } from './signing-result.ts';

const general = (field: string, message: string): SigningProblem => ({
  item: null,
  guest: null,
  field,
  message,
});

/** The sentence for a guest who may not take part, or not in this signing. */
function guestProblem(
  { people }: FormContent,
  { age, minor }: Participant,
  isSigner: boolean,
  sentences: Sentences,
): string | undefined {
  const { adults, minors, majority, minAge, maxAge } = people;
  if (minor && minors === 'no') return sentenceWith(sentences.noMinors, majority);
  if (minor && minors === 'guardian' && isSigner) return sentenceWith(sentences.needsGuardian, majority);
  if (!minor && !adults) return sentences.noAdults;
  if (!isSigner && (!minor || minors === 'alone')) return sentences.signsAlone;
  if (minAge !== undefined && age !== undefined && age < minAge)
    return sentenceWith(sentences.tooYoung, minAge);
  if (maxAge !== undefined && age !== undefined && age > maxAge)
    return sentenceWith(sentences.tooOld, maxAge);
  return undefined;
}

function guardianAgeProblem(
  { people, guardian: asked }: FormContent,
  { dateOfBirth, ofAge }: Guardian,
  { date }: SigningDay,
  sentences: Sentences,
): SigningProblem | undefined {
  if (asked?.age === 'tick')
    return ofAge ? undefined : general('signer.guardian.ofAge', sentences.guardianOfAge);
  const field = 'signer.guardian.dateOfBirth';
  if (dateOfBirth === undefined || !isDay(dateOfBirth) || dateOfBirth > date)
    return general(field, sentences.guardianBirthDate);
  return ageOn(dateOfBirth, date) < people.majority
    ? general(field, sentenceWith(sentences.guardianTooYoung, people.majority))
    : undefined;
}

function guardianProblems(
  content: FormContent,
  { signer }: SigningDraft,
  day: SigningDay,
  sentences: Sentences,
): (SigningProblem | undefined)[] {
  const { takesPart, guardian = {} } = signer;
  return [
    !takesPart && !hasLetter(guardian.name ?? '')
      ? general('signer.guardian.name', sentences.guardianName)
      : undefined,
    content.guardian?.relationship === 'require' && !hasLetter(guardian.relationship ?? '')
      ? general('signer.guardian.relationship', sentences.guardianRelationship)
      : undefined,
    takesPart ? undefined : guardianAgeProblem(content, guardian, day, sentences),
  ];
}

/**
 * Problems with the people of a signing: their ages, who signs for whom, the guardian. Skips a guest whose date of
 * birth is asked but not known yet.
 */
export function checkPeople(
  content: FormContent,
  signing: SigningDraft,
  day: SigningDay,
  sentences: Sentences,
): SigningProblem[] {
  const { participants } = evaluate(content, signing, day);
  const { minors, maxMinors } = content.people;
  const birthDate = birthDateItem(content);
  const guests = participants.map((participant, guest): SigningProblem | undefined => {
    if (birthDate !== undefined && participant.age === undefined) return undefined;
    const isSigner = guest === 0 && signing.signer.takesPart;
    const message = guestProblem(content, participant, isSigner, sentences);
    const field = `guests[${guest}]${birthDate === undefined ? '' : `.answers.${birthDate.id}`}`;
    return message === undefined ? undefined : { item: birthDate?.id ?? null, guest, field, message };
  });
  const minorCount = participants.filter(({ minor }) => minor).length;
  const guardian =
    minors === 'guardian' && minorCount > 0 ? guardianProblems(content, signing, day, sentences) : [];
  const tooMany =
    minors === 'guardian' && minorCount > maxMinors
      ? general('guests', sentenceWith(sentences.tooManyMinors, maxMinors))
      : undefined;
  return [...guests, ...guardian, tooMany].filter((problem) => problem !== undefined);
}

function itemProblem(
  shown: Shown,
  signing: SigningDraft,
  day: SigningDay,
  sentences: Sentences,
): SigningProblem | undefined {
  const { item, guest, answer } = shown;
  if (item.type !== 'ask') {
    const fault = checkAct(shown, signing.acts ?? [], sentences);
    return fault && { item: item.id, guest, ...fault };
  }
  const checks = { day, photos: signing.photos ?? [], sentences };
  const missing = item.required ? sentences.required : undefined;
  const message = answer === undefined ? missing : checkAnswer(item, answer, checks);
  if (message === undefined) return undefined;
  const of = guest === null ? 'signer' : `guests[${guest}]`;
  return { item: item.id, guest, field: `${of}.answers.${item.id}`, message };
}

function itemProblems(
  { shown }: Evaluation,
  signing: SigningDraft,
  day: SigningDay,
  sentences: Sentences,
): SigningProblem[] {
  return shown
    .map((one) => itemProblem(one, signing, day, sentences))
    .filter((problem) => problem !== undefined);
}

/** Problems on one page of a signing that is being filled in. */
export function checkPage(
  content: FormContent,
  signing: SigningDraft,
  day: SigningDay,
  pageId: string,
  sentences: Sentences,
): SigningProblem[] {
  const items = content.pages.find(({ id }) => id === pageId)?.items ?? [];
  const isOnPage = ({ item }: SigningProblem) => items.some(({ id }) => id === item);
  const evaluation = evaluate(content, signing, day);
  return [
    ...itemProblems(evaluation, signing, day, sentences),
    ...checkPeople(content, signing, day, sentences),
  ].filter(isOnPage);
}

/** The waivers of a signing that is being filled in, with the valid answers so far. */
export function draftWaivers(
  content: FormContent,
  draft: SigningDraft,
  day: SigningDay,
  sentences: Sentences,
): readonly SigningWaiver[] {
  const { participants, shown } = evaluate(content, draft, day);
  const checks = { day, photos: draft.photos ?? [], sentences };
  const isRight = ({ item, answer }: Shown) =>
    item.type === 'ask' && answer !== undefined && checkAnswer(item, answer, checks) === undefined;
  const right = { participants, shown: shown.filter(isRight) };
  return signingResult(content, { ...draft, acts: [] }, right).waivers;
}

/** Checks whether a signing is complete and valid. Returns its problems with their fields, or its result. */
export function checkSigning(
  content: FormContent,
  signing: Signing,
  day: SigningDay,
  sentences: Sentences,
):
  | { readonly ok: false; readonly problems: readonly SigningProblem[] }
  | { readonly ok: true; readonly result: SigningResult } {
  const evaluation = evaluate(content, signing, day);
  const problems = [
    ...(content.languages.includes(signing.language)
      ? []
      : [{ item: null, guest: null, field: 'language', message: sentences.language }]),
    ...checkPeople(content, signing, day, sentences),
    ...itemProblems(evaluation, signing, day, sentences),
  ];
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, result: signingResult(content, signing, evaluation) };
}
