import { checkAct } from './check-acts.ts';
import { checkAnswer } from './check-answer.ts';
import { checkPeople } from './check-people.ts';
import type { FormContent } from './content.ts';
import type { SigningDay } from './day.ts';
import { type Evaluation, evaluate, type Shown } from './evaluate.ts';
import type { Sentences } from './sentences/sentences.ts';
import type { Signing, SigningDraft, SigningProblem, SigningResult, SigningWaiver } from './signing.ts';
import { signingResult } from './signing-result.ts';

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
