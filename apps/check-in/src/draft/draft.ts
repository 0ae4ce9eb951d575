import type {
  Act,
  Answer,
  FormContent,
  GivenAnswers,
  Guardian,
  Item,
  PublishedForm,
  SigningPhoto,
} from '@waiver-service/forms';

type SigningFor = 'self' | 'both' | 'children';

export interface DraftPerson {
  /** Identifies the person within the draft, since their index among the guests may change. */
  readonly key: string;
  /** Null: they said they are none of the booking's guests. */
  readonly bookingGuestId?: string | null;
  readonly answers: Readonly<Record<string, Answer>>;
}

type OfPerson<T> = T extends Act ? Omit<T, 'guest'> & { readonly person: string | null } : never;
/** An act, with the person's key; null: the signer's, for all. */
export type DraftAct = OfPerson<Act>;

/** A code that a returning guest asked for. */
export interface AskedCode {
  /** The address to which it was sent. */
  readonly email: string;
  /** The code's id, not the code. */
  readonly id: string;
  /** When it was asked for, by the service's clock. */
  readonly at: string;
}

/** The guest's entries on this device, until sent. */
export interface Draft {
  /** The id of the signing. */
  readonly id: string;
  /** The version shown. */
  readonly form: PublishedForm;
  readonly language: string;
  readonly openedAt: string;
  readonly signingFor: SigningFor;
  /** The signer, if they take part. */
  readonly self: DraftPerson;
  readonly children: readonly DraftPerson[];
  readonly guardian: Guardian;
  /** The answers to the questions asked once for all. */
  readonly signerAnswers: Readonly<Record<string, Answer>>;
  readonly acts: readonly DraftAct[];
  readonly photos: readonly SigningPhoto[];
  /** The finished pages, and when. */
  readonly pages: readonly { readonly page: string; readonly at: string }[];
  /** When the page was first seen translated by the browser. */
  readonly translatedAt?: string;
  /** The current screen's id. */
  readonly step?: string;
  /** Not sent with the signing. Undefined once it was used. */
  readonly askedCode?: AskedCode;
  /** When it was confirmed, until the service has answered: after a reload, the same signing is sent again. */
  readonly signedAt?: string;
}

/** The content of the last screen. */
export interface Signed {
  readonly id: string;
  /** Undefined while it waits on this device. */
  readonly receivedAt?: string;
  /** The links to the copies, as soon as they are known; several if several earlier signings were confirmed. */
  readonly copies?: readonly string[];
  readonly names: readonly string[];
  readonly language: string;
}

export const takesPart = (draft: Draft): boolean => draft.signingFor !== 'children';
export const bringsChildren = (draft: Draft): boolean => draft.signingFor !== 'self';

/**
 * The signer as a guest. While one of the children is the same guest of the booking, which guest the signer is counts as
 * unanswered: both may have been chosen at different times, each when the other did not take part.
 */
export function signerAsGuest({ self, children, signingFor }: Draft): DraftPerson {
  const { bookingGuestId, ...others } = self;
  const isChild =
    bookingGuestId &&
    signingFor === 'both' &&
    children.some((child) => child.bookingGuestId === bookingGuestId);
  return isChild ? others : self;
}

/** The people who take part, in the order of the signing's guests. */
export const guestsOf = (draft: Draft): readonly DraftPerson[] => [
  ...(takesPart(draft) ? [signerAsGuest(draft)] : []),
  ...(bringsChildren(draft) ? draft.children : []),
];

/** Whether someone else of the signing is this guest of the booking. */
export const isTaken = (draft: Draft, { key }: DraftPerson, bookingGuestId: string): boolean =>
  guestsOf(draft).some((other) => other.key !== key && other.bookingGuestId === bookingGuestId);

/** A UUID, without `crypto.randomUUID`, which is missing over plain HTTP. */
export function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, index) => {
    const marked = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

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

/** How long the service accepts a code. */
const worksMs = 10 * 60_000;

/** Sets the code that a returning guest asked for; undefined removes it. */
export function withAskedCode(draft: Draft, asked: AskedCode | undefined): Draft {
  if (asked === draft.askedCode) return draft;
  const { askedCode: _, ...others } = draft;
  return asked === undefined ? others : { ...others, askedCode: asked };
}

/**
 * Whether the guest asked for a code that may still work.
 * @param now - by the service's clock
 */
export const awaitsCode = ({ askedCode }: Draft, now: Date): boolean =>
  askedCode !== undefined && now.getTime() - Date.parse(askedCode.at) < worksMs;

/** An item that a newer version adds, rewords or removes. */
interface ChangedItem {
  readonly change: 'added' | 'reworded' | 'removed';
  readonly item: Item;
}

const itemsOf = ({ pages }: FormContent) => pages.flatMap(({ items }) => items);

/** An item's texts as the guest reads them, for comparison. */
function wordingOf(item: Item, language: string): string {
  const texts = (() => {
    if (item.type === 'sign') return [item.statement];
    if (item.type === 'ask')
      return [
        item.label,
        ...(item.help === undefined ? [] : [item.help]),
        ...(item.options ?? []).map(({ label }) => label),
      ];
    return [item.text];
  })();
  return JSON.stringify([item.type, ...texts.map((text) => text[language] ?? '')]);
}

/** The changes for a guest who has seen the previous version. */
export function changedItems(former: FormContent, current: FormContent, language: string): ChangedItem[] {
  const before = new Map(itemsOf(former).map((item) => [item.id, item]));
  const now = itemsOf(current);
  const changes = now.flatMap((item): ChangedItem[] => {
    const one = before.get(item.id);
    if (one === undefined) return [{ change: 'added', item }];
    return wordingOf(one, language) === wordingOf(item, language) ? [] : [{ change: 'reworded', item }];
  });
  const kept = new Set(now.map(({ id }) => id));
  const removed = itemsOf(former).filter(({ id }) => !kept.has(id));
  return [...changes, ...removed.map((item): ChangedItem => ({ change: 'removed', item }))];
}

/** Moves a draft to a newer version. Keeps all answers, and the consents and initials on unchanged wording. */
export function forNewVersion(draft: Draft, form: PublishedForm): Draft {
  const { languages } = form.content;
  const language = languages.includes(draft.language) ? draft.language : (languages[0] ?? draft.language);
  const changed = changedItems(draft.form.content, form.content, language).map(({ item }) => item.id);
  const isKept = ({ act, item }: Draft['acts'][number]) =>
    language === draft.language && act !== 'sign' && !changed.includes(item);
  return { ...draft, form, language, acts: draft.acts.filter(isKept), pages: [] };
}
