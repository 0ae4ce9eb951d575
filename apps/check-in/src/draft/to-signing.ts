import {
  type Act,
  type Answer,
  type Guardian,
  type PublishedForm,
  type Signing,
  type SigningDay,
  type SigningDraft,
  shownItems,
  signingLimits,
} from '@waiver-service/forms';
import { type Draft, type DraftAct, guestsOf, takesPart } from './draft.ts';
import { guardianOf } from './people.ts';

type Answers = Readonly<Record<string, Answer>>;

/** A text as it can be stored: some keyboards leave half an emoji, and the service would refuse the whole signing. */
const storable = (text: string): string => text.replaceAll('\u0000', '').replace(/\p{Cs}/gu, '\ufffd');

/** Trims answers, and drops empty ones. */
const given = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers)
      .map(([item, answer]) => [item, typeof answer === 'string' ? storable(answer).trim() : answer] as const)
      .filter(([, answer]) => answer !== '' && !(Array.isArray(answer) && answer.length === 0)),
  );

function toAct({ person, ...act }: DraftAct, keys: readonly string[]): Act[] {
  const guest = person === null ? null : keys.indexOf(person);
  if (guest === -1) return [];
  if (act.act === 'initial') return [{ ...act, guest, initials: storable(act.initials) }];
  return [
    act.act === 'sign' && act.method === 'type'
      ? { ...act, guest, name: storable(act.name) }
      : { ...act, guest },
  ];
}

const storableGuardian = ({ name, relationship, ...others }: Guardian): Guardian => ({
  ...others,
  ...(name === undefined ? {} : { name: storable(name) }),
  ...(relationship === undefined ? {} : { relationship: storable(relationship) }),
});

/** The draft in the form that evaluates items. */
export function toSigningDraft(draft: Draft, { content }: PublishedForm): SigningDraft {
  const guests = guestsOf(draft);
  const keys = guests.map(({ key }) => key);
  const guardian = guardianOf(content, draft);
  return {
    language: draft.language,
    guests: guests.map(({ bookingGuestId, answers }) => ({
      ...(bookingGuestId ? { bookingGuestId } : {}),
      answers: given(answers),
    })),
    signer: {
      takesPart: takesPart(draft),
      ...(guardian === undefined ? {} : { guardian: storableGuardian(guardian) }),
      answers: given(draft.signerAnswers),
    },
    acts: draft.acts.flatMap((act) => toAct(act, keys)),
    photos: draft.photos,
  };
}

/** The signing to send: without answers to items that a later choice has hidden. */
export function toSigning(draft: Draft, form: PublishedForm, day: SigningDay, signedAt: Date): Signing {
  const all = toSigningDraft(draft, form);
  const shown = shownItems(form.content, all, day);
  const isShown = (item: string, guest: number | null) =>
    shown.some((one) => one.item === item && one.guest === guest);
  const only = (answers: Answers, guest: number | null): Answers =>
    Object.fromEntries(Object.entries(answers).filter(([item]) => isShown(item, guest)));
  const guests = all.guests.map((guest, index) => ({ ...guest, answers: only(guest.answers, index) }));
  const signer = { ...all.signer, answers: only(all.signer.answers, null) };
  const named = [signer, ...guests].flatMap(({ answers }) => Object.values(answers));
  const photos = draft.photos.filter(({ id }) => named.includes(id));
  return {
    id: draft.id,
    form: form.form,
    version: form.version,
    language: draft.language,
    guests,
    signer,
    acts: (all.acts ?? []).filter(({ item, guest }) => isShown(item, guest)),
    ...(photos.length === 0 ? {} : { photos }),
    times: {
      openedAt: draft.openedAt,
      signedAt: signedAt.toISOString(),
      pages: draft.pages.slice(-signingLimits.pages),
      ...(draft.translatedAt === undefined ? {} : { translatedAt: draft.translatedAt }),
    },
  };
}
