import type { AskItem, Item } from './content.ts';
import { isDay, type SigningDay } from './day.ts';
import type { Shown } from './evaluate.ts';
import { signingLimits } from './limits.ts';
import { type Sentences, sentenceWith } from './sentences/sentences.ts';
import type { Act, Answer, SigningPhoto, SigningProblem, Stroke } from './signing.ts';

/** Country codes, ISO 3166-1 alpha-2. `Intl.DisplayNames` has their names. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD ' +
  'CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE ' +
  'GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI ' +
  'KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX ' +
  'MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD ' +
  'SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ ' +
  'VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'
).split(' ');

/** The context for checking answers. */
export interface AnswerChecks {
  readonly day: SigningDay;
  readonly photos: readonly SigningPhoto[];
  readonly sentences: Sentences;
}

/** Requires at least one letter, of any script, that can be seen: the filler U+3164 counts as a letter in Unicode. */
export const hasLetter = (text: string): boolean =>
  /\p{L}/u.test(text.replace(/\p{Default_Ignorable_Code_Point}/gu, ''));

const emailPattern = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
const minPhoneDigits = 5;
const countDigits = (text: string) => text.match(/\p{Nd}/gu)?.length ?? 0;
const minDay = '1850-01-01';

function checkNumber({ min, max, property }: AskItem, answer: number, sentences: Sentences) {
  const largest = property && signingLimits.propertyMax[property];
  const least = min ?? (largest === undefined ? undefined : 1);
  const most = max ?? largest;
  if (least !== undefined && answer < least) return sentenceWith(sentences.tooSmall, least);
  if (most !== undefined && answer > most) return sentenceWith(sentences.tooLarge, most);
  return undefined;
}

function checkLength(answer: string, { min = 0, max }: Pick<AskItem, 'min' | 'max'>, sentences: Sentences) {
  if (answer.length < min) return sentenceWith(sentences.tooShort, min);
  if (max !== undefined && answer.length > max) return sentenceWith(sentences.tooLong, max);
  return undefined;
}

function checkChoices(
  { options = [], min = 0, max }: AskItem,
  answer: readonly string[],
  sentences: Sentences,
) {
  const ids = options.map(({ id }) => id);
  if (new Set(answer).size < answer.length || answer.some((id) => !ids.includes(id)))
    return sentences.notAnOption;
  if (answer.length < min) return sentenceWith(sentences.tooFewChoices, min);
  if (max !== undefined && answer.length > max) return sentenceWith(sentences.tooManyChoices, max);
  return undefined;
}

function checkDate({ property }: AskItem, answer: string, { day, sentences }: AnswerChecks) {
  if (!isDay(answer) || answer < minDay) return sentences.date;
  return property === 'dateOfBirth' && answer > day.date ? sentences.birthDate : undefined;
}

function checkText(item: AskItem, answer: string, checks: AnswerChecks): string | undefined {
  const { sentences, photos } = checks;
  switch (item.kind) {
    case 'text':
      if (item.property === 'name' && !hasLetter(answer)) return sentences.typedName;
      return checkLength(answer, { min: item.min, max: item.max ?? signingLimits.line }, sentences);
    case 'long':
      return checkLength(answer, { min: item.min, max: item.max ?? signingLimits.long }, sentences);
    case 'email':
      if (!emailPattern.test(answer)) return sentences.email;
      return checkLength(answer, { max: signingLimits.email }, sentences);
    case 'phone':
      if (countDigits(answer) < minPhoneDigits) return sentences.phone;
      return checkLength(answer, { max: signingLimits.phone }, sentences);
    case 'date':
      return checkDate(item, answer, checks);
    case 'choice':
      return item.options?.some(({ id }) => id === answer) ? undefined : sentences.notAnOption;
    case 'country':
      return countryCodes.includes(answer) ? undefined : sentences.notAnOption;
    case 'photo':
      return photos.some(({ id }) => id === answer) ? undefined : sentences.photo;
    case 'number':
      return sentences.number;
    default:
      return sentences.unsuitable;
  }
}

/** The sentence for an invalid answer; undefined if it is valid. */
export function checkAnswer(item: AskItem, answer: Answer, checks: AnswerChecks): string | undefined {
  const { sentences } = checks;
  if (typeof answer === 'string') return checkText(item, answer, checks);
  if (typeof answer === 'number')
    return item.kind === 'number' ? checkNumber(item, answer, sentences) : sentences.unsuitable;
  if (typeof answer === 'boolean') return item.kind === 'yesno' ? undefined : sentences.unsuitable;
  return item.kind === 'choices' ? checkChoices(item, answer, sentences) : sentences.unsuitable;
}

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
