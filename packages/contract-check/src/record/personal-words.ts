import { createHmac, type KeyObject } from 'node:crypto';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const hexadecimals = '0123456789abcdef';

// Letters outside ASCII keep only their script and case.
const standIns = [
  [/\p{Script=Latin}/u, 'é'],
  [/\p{Script=Cyrillic}/u, 'ж'],
  [/\p{Script=Greek}/u, 'λ'],
  [/\p{Script=Hebrew}/u, 'ש'],
  [/\p{Script=Arabic}/u, 'ع'],
  [/\p{Script=Han}/u, '木'],
  [/\p{Script=Hangul}/u, '가'],
  [/\p{Script=Hiragana}|\p{Script=Katakana}/u, 'あ'],
] as const;

const isCapital = (character: string) => character !== character.toLowerCase();

function standInFor(character: string): string {
  const [, standIn] = standIns.find(([script]) => script.test(character)) ?? [undefined, 'ø'];
  const other = standIn === character.toLowerCase() ? 'ø' : standIn;
  return isCapital(character) ? other.toUpperCase() : other;
}

/** Another character of an alphabet. `byte` is from 0 to 255. */
function another(character: string, alphabet: string, byte: number): string {
  const place = alphabet.indexOf(character);
  return alphabet.charAt((place + 1 + (byte % (alphabet.length - 1))) % alphabet.length);
}

function anotherCharacter(character: string, byte: number, isFirst: boolean): string {
  const small = character.toLowerCase();
  if (lower.includes(small)) {
    const found = another(small, lower, byte);
    return small === character ? found : found.toUpperCase();
  }
  if (!digits.includes(character)) return standInFor(character);
  // No leading zero in a number; a text that begins with one keeps it as part of its shape.
  if (isFirst && character !== '0') return another(character, '123456789', byte);
  return isFirst ? '0' : another(character, digits, byte);
}

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const wordPattern = /[\p{L}\p{M}]+|\p{N}+/gu;

const inLowerCase = (word: string) => word.normalize('NFC').toLowerCase();

const maxAttempts = 100;
// Of one digit there are eight others only: where all are taken, the number grows.
const attemptsOfSameLength = 50;

/**
 * Replaces words with others of the same alphabet, case and length (short numbers may grow): the same word always with
 * the same one, and two words with two, so that a recording's ids still tell its guests apart.
 */
export class PersonalWords {
  readonly #key: KeyObject;
  /** Which attempt at a word, in lower case, gave what no other word has. */
  readonly #attempts = new Map<string, number>();
  readonly #taken = new Set<string>();

  /** @param key - new for each recording, so that words cannot be recovered by trying many */
  constructor(key: KeyObject) {
    this.#key = key;
  }

  #bytesFor(word: string, attempt = 0): Buffer {
    return createHmac('sha512', this.#key)
      .update(`${attempt} ${inLowerCase(word)}`)
      .digest();
  }

  #attempt(word: string, attempt: number): string {
    const bytes = this.#bytesFor(word, attempt);
    const grows = attempt >= attemptsOfSameLength && /^\d+$/.test(word);
    const shape = grows ? `${word}${word}` : word;
    return [...shape]
      .map((character, index) => anotherCharacter(character, bytes[index % bytes.length] ?? 0, index === 0))
      .join('');
  }

  #firstFree(word: string): number {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (!this.#taken.has(inLowerCase(this.#attempt(word, attempt)))) return attempt;
    }
    return 0;
  }

  #anotherWord(word: string): string {
    const known = this.#attempts.get(inLowerCase(word));
    const attempt = known ?? this.#firstFree(word);
    const replaced = this.#attempt(word, attempt);
    if (known === undefined) {
      this.#attempts.set(inLowerCase(word), attempt);
      this.#taken.add(inLowerCase(replaced));
    }
    return replaced;
  }

  #anotherUuid(uuid: string): string {
    const bytes = this.#bytesFor(uuid);
    return [...uuid.toLowerCase()]
      .map((character, index) =>
        character === '-' ? character : another(character, hexadecimals, bytes[index] ?? 0),
      )
      .join('');
  }

  /** The text with each word replaced; everything between words stays. */
  replaced(text: string): string {
    return uuidPattern.test(text)
      ? this.#anotherUuid(text)
      : text.replace(wordPattern, (word) => this.#anotherWord(word));
  }

  /** The number as a text replaced. */
  replacedNumber(value: number): number {
    const replaced = Number(this.replaced(String(value)));
    // Such as 1e21, or a number with too many digits.
    return Number.isFinite(replaced) && String(replaced).length <= 21 ? replaced : 0;
  }
}
