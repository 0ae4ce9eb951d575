import { hasLetter } from './check-answer.ts';
import type { FormContent } from './content.ts';
import { ageOn, isDay, type SigningDay } from './day.ts';
import { birthDateItem, evaluate, type Participant } from './evaluate.ts';
import { type Sentences, sentenceWith } from './sentences/sentences.ts';
import type { Guardian, SigningDraft, SigningProblem } from './signing.ts';

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
