import { hasLetter } from './check-answer.ts';
import type { Item } from './content.ts';
import type { Shown } from './evaluate.ts';
import type { Sentences } from './sentences/sentences.ts';
import type { Act, SigningProblem, Stroke } from './signing.ts';

type Drawing = Extract<Act, { readonly method: 'draw' }>;

/** A signature covers at least this share of the pad's width or height; anything smaller is a stray dot. */
const minInkShare = 0.05;

const extent = (values: readonly number[]) => {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return most - least;
};

/** Whether strokes are a signature rather than a stray dot. */
export function isDrawn({ strokes, width, height }: Pick<Drawing, 'strokes' | 'width' | 'height'>): boolean {
  const points: Stroke = strokes.flat();
  return (
    extent(points.map(([x]) => x)) >= width * minInkShare ||
    extent(points.map(([, y]) => y)) >= height * minInkShare
  );
}

/** The act that an item asks for; undefined if it asks for none. */
function actOf(item: Item): Act['act'] | undefined {
  if (item.type === 'agree') return 'agree';
  if (item.type === 'sign') return 'sign';
  return item.type === 'text' && item.initials ? 'initial' : undefined;
}

/** The last act on a shown item, with its index in the list. */
export function findAct({ item, guest }: Shown, acts: readonly Act[]): [act: Act, index: number] | undefined {
  const kind = actOf(item);
  const index = acts.findLastIndex(
    (act) => kind !== undefined && act.act === kind && act.item === item.id && act.guest === guest,
  );
  const act = acts[index];
  return act === undefined ? undefined : [act, index];
}

/** The wrong field in an act, and the sentence. */
function faultOf(item: Item, act: Act, sentences: Sentences): [field: string, message: string] | undefined {
  if (act.act === 'initial') return hasLetter(act.initials) ? undefined : ['initials', sentences.initials];
  if (act.act !== 'sign' || item.type !== 'sign') return undefined;
  if (!item.methods.includes(act.method)) return ['method', sentences.method];
  if (act.method === 'type') return hasLetter(act.name) ? undefined : ['name', sentences.typedName];
  return isDrawn(act) ? undefined : ['strokes', sentences.drawing];
}

function missingAct(item: Item, sentences: Sentences): string | undefined {
  if (item.type === 'agree') return item.required ? sentences.consent : undefined;
  if (item.type === 'sign') return sentences.sign;
  return item.type === 'text' && item.initials ? sentences.initials : undefined;
}

/** The item's consent, initials or signature that is missing or wrong. */
export function checkAct(
  shown: Shown,
  acts: readonly Act[],
  sentences: Sentences,
): Omit<SigningProblem, 'item' | 'guest'> | undefined {
  const found = findAct(shown, acts);
  if (found === undefined) {
    const message = missingAct(shown.item, sentences);
    return message === undefined ? undefined : { field: 'acts', message };
  }
  const [act, index] = found;
  const fault = faultOf(shown.item, act, sentences);
  return fault === undefined ? undefined : { field: `acts[${index}].${fault[0]}`, message: fault[1] };
}
