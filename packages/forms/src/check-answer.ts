import type { AskItem } from './content.ts';
import { countryCodes } from './countries.ts';
import { isDay, type SigningDay } from './day.ts';
import { signingLimits } from './limits.ts';
import { type Sentences, sentenceWith } from './sentences/sentences.ts';
import type { Answer, SigningPhoto } from './signing.ts';

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
