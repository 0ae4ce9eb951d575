import type { AskItem, FormContent } from '../content.ts';
import type { SigningDay } from '../day.ts';
import { shownItems } from '../evaluate.ts';
import type { Act, Answer, Signing } from '../signing.ts';

/** A day in summer. */
export const day: SigningDay = { date: '2026-07-01', activities: [] };
const at = '2026-06-30T08:00:00Z';

const draw = {
  method: 'draw',
  strokes: [
    [
      [10, 50, 0],
      [120, 20, 200],
      [240, 70, 400],
    ],
  ],
  width: 300,
  height: 100,
} as const;

/** Picks one of several possibilities, by index. */
type Pick = (count: number) => number;

function answerTo(item: AskItem, born: string, pick: Pick): Answer {
  switch (item.kind) {
    case 'email':
      return 'zoe@example.com';
    case 'phone':
      return '+49 30 123456';
    case 'date':
      return item.property === 'dateOfBirth' ? born : '2026-01-31';
    case 'number':
      return (item.min ?? 1) + pick(1 + Math.min(item.max ?? 100, 100) - Math.min(item.min ?? 1, 100));
    case 'yesno':
      return pick(2) === 1;
    case 'choice':
      return item.options?.[pick(item.options.length)]?.id ?? '';
    case 'choices':
      return item.options?.slice(0, (item.min ?? 1) + pick(item.max ?? 1)).map(({ id }) => id) ?? [];
    case 'country':
      return 'DE';
    case 'photo':
      return 'photo-1';
    default:
      return 'Zoë Bäcker'.padEnd(item.min ?? 0, '.');
  }
}

const itemsOf = (content: FormContent) => content.pages.flatMap(({ items }) => items);

interface SignedOptions {
  readonly takesPart?: boolean;
  readonly language?: string;
  /** Chooses among the valid answers; default: the first. */
  readonly pick?: Pick;
}

/** A signing that answers everything shown; `born`: a birth date for each guest. */
export function signed(
  content: FormContent,
  born: readonly string[],
  { takesPart = true, language = content.languages[0] ?? '', pick = () => 0 }: SignedOptions = {},
): Signing {
  const items = itemsOf(content);
  const asks = items.filter((item) => item.type === 'ask');
  const answers = (per: 'guest' | 'signer', birthDate: string) =>
    Object.fromEntries(
      asks.filter((item) => item.per === per).map((item) => [item.id, answerTo(item, birthDate, pick)]),
    );
  const guests = born.map((birthDate) => ({ answers: answers('guest', birthDate) }));
  const signer = {
    takesPart,
    guardian: takesPart
      ? { relationship: 'mother' }
      : {
          name: 'Ann Bäcker',
          relationship: 'mother',
          ...(content.guardian?.age === 'tick' ? { ofAge: true as const } : { dateOfBirth: '1985-03-04' }),
        },
    answers: answers('signer', ''),
  };
  const acts = shownItems(content, { guests, signer }, day).flatMap(({ item: id, guest }): Act[] => {
    const item = items.find((one) => one.id === id);
    if (item?.type === 'agree') return [{ item: id, guest, at, act: 'agree' }];
    if (item?.type === 'text' && item.initials)
      return [{ item: id, guest, at, act: 'initial', initials: 'ZB' }];
    return item?.type === 'sign' ? [{ item: id, guest, at, act: 'sign', ...draw }] : [];
  });
  return {
    id: '0b0e8f4c-3c1d-4e0e-9d55-1f5b8c1a2d3e',
    form: 'f1',
    version: 1,
    language,
    guests,
    signer,
    acts,
    ...(asks.some(({ kind }) => kind === 'photo') && {
      photos: [{ id: 'photo-1', type: 'image/jpeg', data: '/9j/4AAQ' }] as const,
    }),
    times: { openedAt: '2026-06-30T07:59:00Z', signedAt: at },
  };
}
