import {
  checkPage,
  checkPeople,
  type Item,
  type Page,
  type Sentences,
  type SigningProblem,
  shownItems,
} from '@waiver-service/forms';
import { useEffect, useState } from 'preact/hooks';
import { bringsChildren, type Draft, guestsOf, signerAsGuest, takesPart } from '../draft/draft.ts';
import {
  guardianName,
  guardianQuestions,
  identityItems,
  isIdentity,
  nameOf,
  signingForChoices,
} from '../draft/people.ts';
import { toSigningDraft } from '../draft/to-signing.ts';
import type { CheckInSession } from '../host/calls.ts';
import { fill, type Words } from '../text/words.ts';

/** A screen before the last one. `id` is the URL's fragment. */
export type Step =
  | { readonly kind: 'who' | 'children' | 'check'; readonly id: string }
  | { readonly kind: 'page'; readonly id: string; readonly page: Page };

/** An item on a screen. `guest`: index of the guest it is asked of; null: asked once for all. */
export interface StepItem {
  readonly item: Item;
  readonly guest: number | null;
}

/** The questions about a person on the first screens. For the signer, also those answered once for all. */
export function identityQuestions(draft: Draft, person: 'signer' | number): readonly StepItem[] {
  const items = identityItems(draft.form.content);
  const ofGuest = (guest: number) =>
    items.filter(({ per }) => per === 'guest').map((item) => ({ item, guest }));
  if (person !== 'signer') return ofGuest(person);
  const once = items.filter(({ per }) => per === 'signer').map((item) => ({ item, guest: null }));
  return [...(takesPart(draft) ? ofGuest(0) : []), ...once];
}

/** A form page's items, without those already asked on the first screens. */
export function pageItems(draft: Draft, session: CheckInSession, { id, items }: Page): readonly StepItem[] {
  const { content } = draft.form;
  return shownItems(content, toSigningDraft(draft, draft.form), session.day)
    .filter(({ page }) => page === id)
    .flatMap(({ item, guest }) => {
      const found = items.find((one) => one.id === item);
      return found === undefined || isIdentity(content, found) ? [] : [{ item: found, guest }];
    });
}

/** Whether to ask which of the booking's guests the signer is; a link to one guest already says so. */
export const asksWhichGuest = (draft: Draft, { guests, link }: CheckInSession): boolean =>
  takesPart(draft) && guests.length > 0 && link.kind !== 'guest';

/** The field of a problem reported by this page, not by the form's checks. */
export const whichGuestField = 'guests[0].bookingGuestId';

function asksWho(draft: Draft, session: CheckInSession): boolean {
  const { content } = draft.form;
  return (
    signingForChoices(content).length > 1 ||
    Object.values(guardianQuestions(content, draft)).some(Boolean) ||
    identityQuestions(draft, 'signer').length > 0 ||
    asksWhichGuest(draft, session)
  );
}

/** The screens with something to ask, in order, and the final check. */
export function stepsOf(draft: Draft, session: CheckInSession): readonly Step[] {
  const pages = draft.form.content.pages.filter((page) => pageItems(draft, session, page).length > 0);
  return [
    ...(asksWho(draft, session) ? [{ kind: 'who', id: 'who' } as const] : []),
    ...(bringsChildren(draft) ? [{ kind: 'children', id: 'children' } as const] : []),
    ...pages.map((page) => ({ kind: 'page', id: `page-${page.id}`, page }) as const),
    { kind: 'check', id: 'check' },
  ];
}

/** The problems of a screen: missing or invalid fields. */
export function stepProblems(
  step: Step,
  draft: Draft,
  session: CheckInSession,
  sentences: Sentences,
): readonly SigningProblem[] {
  const { content } = draft.form;
  const signing = toSigningDraft(draft, draft.form);
  const pageProblems = (page: Page) => checkPage(content, signing, session.day, page.id, sentences);
  if (step.kind === 'page') {
    const items = pageItems(draft, session, step.page).map(({ item }) => item.id);
    return pageProblems(step.page).filter(({ item }) => item !== null && items.includes(item));
  }
  if (step.kind === 'check') return [];
  const identity = identityItems(content).map(({ id }) => id);
  const first = takesPart(draft) ? 1 : 0;
  const isOfChild = ({ guest, field }: SigningProblem) =>
    guest === null ? field.startsWith('guests') : guest >= first;
  const problems = [
    ...content.pages.flatMap(pageProblems).filter(({ item }) => item !== null && identity.includes(item)),
    ...checkPeople(content, signing, session.day, sentences).filter(({ item }) => item === null),
  ].filter((problem) => isOfChild(problem) === (step.kind === 'children'));
  const isUnanswered = asksWhichGuest(draft, session) && signerAsGuest(draft).bookingGuestId === undefined;
  if (step.kind === 'children' || !isUnanswered) return problems;
  return [{ item: null, guest: null, field: whichGuestField, message: sentences.required }, ...problems];
}

/** The form page that completing a screen finishes: its own, or the one before the next screen's. */
export function finishedPage(step: Step, next: Step | undefined, draft: Draft): string | undefined {
  const { pages } = draft.form.content;
  if (step.kind === 'page') return step.page.id;
  if (next?.kind !== 'page') return undefined;
  return pages[pages.findIndex(({ id }) => id === next.page.id) - 1]?.id;
}

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

const idInAddress = () => decodeURIComponent(location.hash.slice(1));
const addressOf = ({ id }: Step) => `#${encodeURIComponent(id)}`;

/** The current screen, synchronized with the browser's history. */
interface StepPosition {
  readonly step: Step;
  readonly go: (step: Step) => void;
  /** Same as the browser's back button. Undefined on the first screen. */
  readonly back: (() => void) | undefined;
}

/** Resumes at the screen where the guest left off, with the previous screens in the history. */
export function resumeAt(steps: readonly Step[], stepId: string | undefined): void {
  if (idInAddress() !== '') return;
  const last = steps.findIndex(({ id }) => id === stepId);
  for (const [index, step] of steps.slice(0, last + 1).entries()) {
    if (index === 0) history.replaceState({}, '', addressOf(step));
    else history.pushState({ from: steps[index - 1]?.id }, '', addressOf(step));
  }
}

/**
 * The screen in the URL, limited to those that may be shown.
 * @param first - the index of the first such screen
 * @param last - the index of the last one: the first that is incomplete
 */
export function useStep(steps: readonly Step[], first: number, last: number): StepPosition {
  const [id, setId] = useState(idInAddress);
  useEffect(() => {
    const follow = () => setId(idInAddress());
    addEventListener('popstate', follow);
    return () => removeEventListener('popstate', follow);
  }, []);
  const wanted = steps.findIndex((step) => step.id === id);
  const index = Math.min(Math.max(wanted, first), last);
  const step = steps[index];
  if (step === undefined) throw new Error('there is no screen');

  useEffect(() => {
    if (idInAddress() !== step.id) history.replaceState({}, '', addressOf(step));
    // A guest who was led back stays on that screen until they continue, even once it is complete.
    setId(step.id);
  }, [step.id]);

  const go = (next: Step) => {
    if (next.id === step.id) return;
    history.pushState({ from: step.id }, '', addressOf(next));
    setId(next.id);
  };
  const former = steps[index - 1];
  const back = () => {
    if (former === undefined) return;
    // The previous history entry may be another site.
    if (history.state?.from === former.id) history.back();
    else {
      history.replaceState({}, '', addressOf(former));
      setId(former.id);
    }
  };
  return { step, go, back: former && back };
}
