import type { Answer, GivenAnswers } from '@waiver-service/forms';
import { type Draft, type DraftAct, type DraftPerson, guestsOf } from './draft.ts';

export const withPerson = (
  draft: Draft,
  key: string,
  change: (person: DraftPerson) => DraftPerson,
): Draft => ({
  ...draft,
  self: draft.self.key === key ? change(draft.self) : draft.self,
  children: draft.children.map((child) => (child.key === key ? change(child) : child)),
});

/** A guest's answers; null: the signer's, for all. */
export const answersOf = (draft: Draft, guest: number | null): GivenAnswers =>
  (guest === null ? draft.signerAnswers : guestsOf(draft)[guest]?.answers) ?? {};

/** Sets an answer; undefined removes it. */
export function withAnswer(
  draft: Draft,
  guest: number | null,
  item: string,
  answer: Answer | undefined,
): Draft {
  const change = (answers: GivenAnswers): GivenAnswers => {
    const { [item]: _, ...others } = answers;
    return answer === undefined ? others : { ...others, [item]: answer };
  };
  if (guest === null) return { ...draft, signerAnswers: change(draft.signerAnswers) };
  const key = guestsOf(draft)[guest]?.key ?? '';
  return withPerson(draft, key, (person) => ({ ...person, answers: change(person.answers) }));
}

const keyOf = (draft: Draft, guest: number | null) =>
  guest === null ? null : (guestsOf(draft)[guest]?.key ?? null);

/** A guest's act on an item; null: the signer's, for all. */
export function actOn(draft: Draft, item: string, guest: number | null): DraftAct | undefined {
  const person = keyOf(draft, guest);
  return draft.acts.find((act) => act.item === item && act.person === person);
}

/** An act without its item, person and time. */
export type Done<Kind extends DraftAct = DraftAct> = Kind extends DraftAct
  ? Omit<Kind, 'item' | 'person' | 'at'>
  : never;

/** Replaces the act on an item; undefined removes it. */
export function withAct(
  draft: Draft,
  item: string,
  guest: number | null,
  done: Done | undefined,
  at: Date,
): Draft {
  const person = keyOf(draft, guest);
  const others = draft.acts.filter((act) => act.item !== item || act.person !== person);
  const act = done && { ...done, item, person, at: at.toISOString() };
  return { ...draft, acts: act === undefined ? others : [...others, act] };
}
