import { type Draft, guestsOf, takesPart } from '../draft/draft.ts';
import { guardianName, nameOf } from '../draft/people.ts';
import type { StepItem } from '../steps/steps.ts';
import { fill, type Words } from '../text/words.ts';

/** Consecutive items for the same guest. */
export interface Group {
  readonly guest: number | null;
  readonly items: readonly StepItem[];
}

/**
 * Groups consecutive questions by guest, so that each guest answers all of them in a row. Signatures need no group,
 * since each is labeled with its person.
 */
export function groupsOf(items: readonly StepItem[]): readonly Group[] {
  const groups: Group[] = [];
  let run: StepItem[] = [];
  const endRun = () => {
    for (const guest of new Set(run.map((one) => one.guest)))
      groups.push({ guest, items: run.filter((one) => one.guest === guest) });
    run = [];
  };
  for (const one of items) {
    if (one.item.type === 'ask' && one.guest !== null) {
      run.push(one);
      continue;
    }
    endRun();
    groups.push({ guest: null, items: [one] });
  }
  endRun();
  return groups;
}

/** A guest's name, or their number while the name is unknown. */
export function guestTitle(draft: Draft, guest: number, words: Words): string {
  const person = guestsOf(draft)[guest];
  const name = person === undefined ? '' : nameOf(draft.form.content, person);
  if (name !== '') return name;
  if (guest === 0 && takesPart(draft)) return words.you;
  return fill(words.child, { number: takesPart(draft) ? guest : guest + 1 });
}

/** A signature's label; `guest` null: the parent's or guardian's. */
export const signatureTitle = (draft: Draft, guest: number | null, words: Words): string =>
  guest === null
    ? fill(words.signature.ofGuardian, { name: guardianName(draft.form.content, draft) })
    : fill(words.signature.of, { name: guestTitle(draft, guest, words) });
