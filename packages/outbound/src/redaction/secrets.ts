import type { SentSecrets } from '@waiver-service/core';
import { isUnreserved, percentEncode } from '../http/prepared-request.ts';

const secretName =
  /(key|token|secret|signature|sig|password|passwd|auth|authorization|authentication|credentials?|cookie)$/i;

/** Whether a header or parameter usually carries a secret, by its name. */
export const isSecretName = (name: string): boolean => secretName.test(name);

function decodedName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return pair;
  const name = pair.slice(0, equals);
  return isSecretName(decodedName(name)) ? `${name}=redacted` : pair;
}

/** Removes credentials and fragment from a URL, and redacts query parameters whose names suggest a secret. */
export function redactUrl(url: string): string {
  const [withoutFragment = ''] = url.split('#', 1);
  const question = withoutFragment.indexOf('?');
  const address = question < 0 ? withoutFragment : withoutFragment.slice(0, question);
  const shown = address.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/]*@/i, '$1');
  if (question < 0) return shown;
  const query = withoutFragment.slice(question + 1);
  return `${shown}?${query.split('&').map(redactPair).join('&')}`;
}

type Values = Readonly<Record<string, string>>;

const redactedText = '«redacted»';

// A shorter value is a flag or a version, not a key; redacting it would make texts unreadable.
const minSecretLength = 6;
// In data, which must not be altered, a shorter key could match an id or a word by chance.
const minSecretLengthInData = 16;

const harmlessNames = new Set(['accept', 'cache-control', 'content-type', 'user-agent', 'webhook-id']);
// A signed time is not a secret, and a response may contain the same one.
const isTime = /(?:^|[-_])(?:date|timestamp)$/i;

// OAuth form-encodes user and password (RFC 6749, 2.3.1).
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function credentialsIn(value: string): string[] {
  const [scheme = '', credential] = /\s/.test(value) ? value.split(/\s+(.*)/s) : [value];
  if (credential === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, credential];
  const decoded = Buffer.from(credential, 'base64').toString();
  const colon = decoded.indexOf(':');
  const parts = [decoded.slice(0, Math.max(colon, 0)), decoded.slice(colon + 1)];
  return [value, credential, decoded, ...parts, ...parts.map(formDecoded)];
}

const lowerCaseEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());

function unicodeEscapes(text: string, characters: RegExp, letters: 'lower' | 'upper'): string {
  return text.replace(characters, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${letters === 'upper' ? code.toUpperCase() : code}`;
  });
}

// A partner may echo a key inside JSON or a URL, and libraries differ in what they escape.
function encodingsOf(secret: string): string[] {
  if (isUnreserved(secret)) return [secret];
  const json = JSON.stringify(secret).slice(1, -1);
  const wellFormed = secret.toWellFormed();
  const inUrl = [encodeURIComponent(wellFormed), percentEncode(wellFormed)];
  return [
    secret,
    json,
    json.replaceAll('/', '\\/'), // PHP
    unicodeEscapes(json, /[&'<=>]/g, 'lower'), // Gson
    unicodeEscapes(json, /[&'+<>`]/g, 'upper'), // .NET
    ...inUrl,
    ...inUrl.map(lowerCaseEscapes),
  ];
}

function secretsIn(sources: readonly Values[]): readonly string[] {
  const secrets = new Set<string>();
  for (const source of sources) {
    for (const [name, value] of Object.entries(source)) {
      if (harmlessNames.has(name.toLowerCase()) || isTime.test(name)) continue;
      for (const secret of credentialsIn(value).flatMap(encodingsOf)) {
        if (secret.length >= minSecretLength) secrets.add(secret);
      }
    }
  }
  return [...secrets].sort((a, b) => b.length - a.length);
}

// Fewer characters reveal nothing of a key.
const minPartLength = 4;

// A truncated response may end in the middle of a key that it echoes.
function redactTruncatedSecret(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length >= minPartLength; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + redactedText;
    }
  }
  return text;
}

// Marks where a message shortens a quotation.
const cut = '…';

/** Removes secrets from texts. */
export interface SecretRedactor extends SentSecrets {
  /** The longest secret's length: before truncating a text, redact it with this many characters beyond the cut. */
  readonly reach: number;
}

/** The secrets in headers and parameters. Computed only when a text is shown, because most calls redact nothing. */
class SecretValues implements SecretRedactor {
  readonly #sources: readonly Values[];
  #sorted: readonly string[] | undefined;

  constructor(sources: readonly Values[]) {
    this.#sources = sources;
  }

  /** These secrets and further ones. */
  with(...values: readonly Values[]): SecretValues {
    return new SecretValues([...this.#sources, ...values]);
  }

  get reach(): number {
    return this.#secrets[0]?.length ?? 0;
  }

  redact(text: string): string {
    if (text === '') return '';
    const whole = this.#replace(text, minSecretLength);
    return whole
      .split(cut)
      .map((part) => redactTruncatedSecret(part, this.#secrets))
      .join(cut);
  }

  redactData(text: string): string {
    return text.length < minSecretLengthInData ? text : this.#replace(text, minSecretLengthInData);
  }

  get #secrets(): readonly string[] {
    this.#sorted ??= secretsIn(this.#sources);
    return this.#sorted;
  }

  #replace(text: string, minLength: number): string {
    let rest = text;
    for (const secret of this.#secrets) {
      if (secret.length < minLength) break;
      rest = rest.replaceAll(secret, redactedText);
    }
    return rest;
  }
}

/** Creates a redactor of all values in these headers or parameters, except those that are never secret. */
export const createSecretRedactor = (...sources: readonly Values[]): SecretValues =>
  new SecretValues(sources);

/** The secrets of one use: those of its connection, and those of each request as it is sent. */
export class UseSecrets implements SecretRedactor {
  #secrets: SecretValues;

  constructor(ofConnection: SecretValues) {
    this.#secrets = ofConnection;
  }

  get reach(): number {
    return this.#secrets.reach;
  }

  add(...values: readonly Readonly<Record<string, string>>[]): void {
    this.#secrets = this.#secrets.with(...values);
  }

  redact(text: string): string {
    return this.#secrets.redact(text);
  }

  redactData(text: string): string {
    return this.#secrets.redactData(text);
  }
}

// Not secret: they describe the kind of token request.
const openNames = new Set([
  'grant_type',
  'response_type',
  'token_type',
  'scope',
  'audience',
  'resource',
  'redirect_uri',
]);

// In a successful response, a shorter text may be a type or a name.
const minTokenLength = 20;
const tokenLike = /[\w.~+/-]+=*/g;

interface Leaf {
  readonly name: string;
  readonly text: string;
}

/** The strings in a JSON value, with their field names. */
function leavesOf(value: unknown): Leaf[] {
  const leaves: Leaf[] = [];
  // Not recursive: the sender decides how deeply the body is nested.
  const left: { readonly name: string; readonly value: unknown }[] = [{ name: '', value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { name, value: inner } = next;
    if (typeof inner === 'string') leaves.push({ name, text: inner });
    else if (typeof inner === 'object' && inner !== null) {
      for (const [key, nested] of Object.entries(inner)) {
        left.push({ name: Array.isArray(inner) ? name : key, value: nested });
      }
    }
  }
  return leaves;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Numbered, because names may repeat.
const byNumber = (texts: readonly string[]): Record<string, string> =>
  Object.fromEntries(texts.map((text, number) => [`secret ${number}`, text]));

const namedTexts = (form: string): Leaf[] =>
  [...new URLSearchParams(form)].map(([name, text]) => ({ name, text }));

/** The secrets in a token request's body, as JSON or a form: everything except the fields in `openNames`. */
export function secretsOfTokenRequest(body: string): Record<string, string> {
  const json = jsonOf(body);
  const leaves = json === undefined ? namedTexts(body) : leavesOf(json);
  return byNumber(leaves.filter(({ name }) => !openNames.has(name)).map(({ text }) => text));
}

/**
 * The secrets in the response to a token request: values whose name usually means a secret and, in a successful
 * response, all those long enough to be a token.
 */
export function secretsOfTokenAnswer(isSuccess: boolean, body: string): Record<string, string> {
  const json = jsonOf(body);
  const words = () => (body.match(tokenLike) ?? []).map((text) => ({ name: '', text }));
  const leaves = json === undefined ? [...namedTexts(body), ...words()] : leavesOf(json);
  const isSecret = ({ name, text }: Leaf) =>
    isSecretName(name) || (isSuccess && text.length >= minTokenLength && !URL.canParse(text));
  return byNumber(leaves.filter(isSecret).map(({ text }) => text));
}
