import { isInvisibleText } from '@waiver-service/core/name-key';
import { findAct } from './check-items.ts';
import type { AskItem, FormContent, Item, When } from './content.ts';
import { chosen, type Evaluation, type Participant, type Shown } from './evaluate.ts';
import { formText } from './form-text.ts';
import type { Answer, Guardian, ShownItem, ShownPage, Signing, SigningResult } from './signing.ts';

interface Answered {
  readonly item: AskItem;
  readonly guest: number | null;
  readonly answer: Answer;
}

const isAnswered = (shown: Shown): shown is Shown & Answered =>
  shown.item.type === 'ask' && shown.answer !== undefined;

/** The ids of the questions that a condition tests. */
export function questionsOf(when: When | undefined): readonly string[] {
  if (when === undefined) return [];
  if ('answer' in when) return [when.answer];
  if ('all' in when) return when.all.flatMap(questionsOf);
  if ('any' in when) return when.any.flatMap(questionsOf);
  return 'not' in when ? questionsOf(when.not) : [];
}

/** The items whose visibility depends on health answers, directly or through other items. */
export function itemsThatRevealHealth({ pages }: FormContent): ReadonlySet<string> {
  const health = new Set<string>();
  const revealing = new Set<string>();
  for (const page of pages) {
    for (const item of page.items) {
      const looksAt = [...questionsOf(page.when), ...questionsOf(item.when)];
      if (looksAt.some((id) => health.has(id) || revealing.has(id))) revealing.add(item.id);
      if (item.type === 'ask' && item.sensitive === 'health') health.add(item.id);
    }
  }
  return revealing;
}

function textOf(item: Item, language: string) {
  const inLanguage = (text: Readonly<Record<string, string>>) => formText(text, language);
  switch (item.type) {
    case 'text':
      return { type: item.type, text: inLanguage(item.text), initials: item.initials ?? false };
    case 'agree':
      return { type: item.type, act: item.act, text: inLanguage(item.text), required: item.required };
    case 'sign':
      return {
        type: item.type,
        by: item.by,
        statement: inLanguage(item.statement),
        methods: item.methods,
      };
    case 'ask':
      return {
        type: item.type,
        ...(item.property === undefined ? {} : { property: item.property }),
        label: inLanguage(item.label),
        ...(item.help && { help: inLanguage(item.help) }),
        ...(item.options && {
          options: item.options.map(({ id, label }) => ({ id, label: inLanguage(label) })),
        }),
        required: item.required,
      };
  }
}

// `Map.groupBy` is missing on some guests' phones.
function groupsBy<Value, Key>(values: readonly Value[], keyOf: (value: Value) => Key): [Key, Value[]][] {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups];
}

/** The pages as shown, each item once, with everyone who was asked. */
function shownPages(shown: readonly Shown[], language: string): ShownPage[] {
  return groupsBy(shown, ({ page }) => page).map(([page, ofPage]) => ({
    page: page.id,
    title: formText(page.title, language),
    items: groupsBy(ofPage, ({ item }) => item).map(([item, ofItem]): ShownItem => {
      const guests = ofItem.map(({ guest }) => guest).filter((guest) => guest !== null);
      return { item: item.id, guests: guests.length > 0 ? guests : null, ...textOf(item, language) };
    }),
  }));
}

/** The answers of one guest, by property or item id. */
function waiverAnswers(
  content: FormContent,
  answered: readonly Answered[],
  index: number,
  { minor }: Participant,
  guardianName: string | undefined,
): Record<string, Answer> {
  const answers: Record<string, Answer> = {};
  for (const { item, guest, answer } of answered) {
    if (guest !== null && guest !== index) continue;
    if (item.sensitive === undefined && item.kind !== 'photo') answers[item.property ?? item.id] = answer;
  }
  answers.minor = minor;
  if (minor && content.people.minors === 'guardian' && guardianName !== undefined)
    answers.guardianName = guardianName;
  return answers;
}

const trimmed = ({ name, relationship, ...others }: Guardian): Guardian => ({
  ...(name && { name: name.trim() }),
  ...(relationship && !isInvisibleText(relationship) && { relationship: relationship.trim() }),
  ...others,
});

/** The guardian who signs; without a name if they take part, because then they are the first guest. */
function guardianOf(
  content: FormContent,
  { signer }: Pick<Signing, 'signer'>,
  participants: readonly Participant[],
) {
  if (content.people.minors !== 'guardian' || !participants.some(({ minor }) => minor)) return null;
  const { name, relationship, dateOfBirth, ofAge } = signer.guardian ?? {};
  if (signer.takesPart) return trimmed({ ...(relationship && { relationship }) });
  return trimmed({
    ...(name && { name }),
    ...(relationship && { relationship }),
    ...(content.guardian?.age === 'tick' ? ofAge && { ofAge } : dateOfBirth && { dateOfBirth }),
  });
}

/** The parts of a signing that determine its result. */
export type AnsweredSigning = Pick<Signing, 'language' | 'guests' | 'signer' | 'acts' | 'photos'>;

/** The result of a signing without problems. */
export function signingResult(
  content: FormContent,
  signing: AnsweredSigning,
  { participants, shown }: Evaluation,
): SigningResult {
  const answered = shown.filter(isAnswered);
  const guardian = guardianOf(content, signing, participants);
  const nameOf = (index: number) =>
    answered.find(({ item, guest }) => item.property === 'name' && guest === index)?.answer;
  const signerName = signing.signer.takesPart ? nameOf(0) : guardian?.name;
  const guardianName = typeof signerName === 'string' ? signerName : undefined;
  const waivers = participants.map((participant, guest) => {
    const { bookingGuestId } = signing.guests[guest] ?? {};
    return {
      guest,
      ...(bookingGuestId !== undefined && { bookingGuestId }),
      answers: waiverAnswers(content, answered, guest, participant, guardianName),
    };
  });
  const revealing = itemsThatRevealHealth(content);
  const isRevealing = ({ item }: Shown) => revealing.has(item.id);
  return {
    waivers,
    flags: answered.flatMap(({ item, guest, answer }) => {
      const { flag } = item;
      if (flag === undefined || !chosen(answer).some((id) => flag.on.includes(id))) return [];
      const guests = guest === null ? participants.map((_, index) => index) : [guest];
      return guests.map((one) => ({ guest: one, item: item.id, label: flag.label }));
    }),
    health: answered
      .filter(({ item }) => item.sensitive === 'health')
      .map(({ item, guest, answer }) => ({
        guest,
        item: item.id,
        value: answer,
        keepDays: item.keepDays ?? null,
      })),
    shown: shownPages(
      shown.filter((one) => !isRevealing(one)),
      signing.language,
    ),
    shownForHealth: shownPages(shown.filter(isRevealing), signing.language),
    acts: shown.map((one) => findAct(one, signing.acts)?.[0]).filter((act) => act !== undefined),
    guardian,
    photos: answered.flatMap(({ item, guest, answer }) => {
      const photo = signing.photos?.find(({ id }) => item.kind === 'photo' && id === answer);
      return photo === undefined ? [] : [{ item: item.id, guest, photo }];
    }),
  };
}
