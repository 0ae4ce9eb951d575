const redactedText = '«redacted»';

// A shorter header value is a flag or a version, not a key; redacting it would make responses unreadable.
const defaultMinSecretLength = 6;

const harmlessHeaders = new Set([
  'accept',
  'cache-control',
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
]);

function credentialsIn(value: string): string[] {
  const [scheme = '', credential] = /\s/.test(value) ? value.split(/\s+(.*)/s) : [value];
  if (credential === undefined) return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, credential];
  const decoded = Buffer.from(credential, 'base64').toString();
  const colon = decoded.indexOf(':');
  return [value, credential, decoded, decoded.slice(0, Math.max(colon, 0)), decoded.slice(colon + 1)];
}

// RFC 3986's unreserved characters, which neither JSON nor a URL escapes.
const isNeverEscaped = /^[\w.~-]*$/;

// A partner may echo a key inside JSON or a URL.
const encodingsOf = (secret: string) =>
  isNeverEscaped.test(secret)
    ? [secret]
    : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];

function secretsIn(headers: Readonly<Record<string, string>>, minLength: number): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (harmlessHeaders.has(name.toLowerCase())) continue;
    for (const secret of credentialsIn(value).flatMap(encodingsOf)) {
      if (secret.length >= minLength) secrets.add(secret);
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

/** Removes a client's secrets from texts. */
export interface SecretRedactor {
  /** Replaces each secret, also a truncated one at the end of the text. */
  redact(text: string): string;
  /** Length of the longest secret: redact before truncating, with this many characters more. */
  readonly reach: number;
}

/**
 * Redacts the values of a client's headers, except those that never hold a secret.
 *
 * @param minLength - shorter values do not count as secrets
 */
export function createSecretRedactor(
  headers: Readonly<Record<string, string>>,
  minLength = defaultMinSecretLength,
): SecretRedactor {
  // Computed lazily: most calls have nothing to redact.
  let secretsLongestFirst: readonly string[] | undefined;
  const longestFirst = () => {
    secretsLongestFirst ??= secretsIn(headers, minLength);
    return secretsLongestFirst;
  };
  return {
    get reach() {
      return longestFirst()[0]?.length ?? 0;
    },
    redact(text) {
      if (text === '') return '';
      const secrets = longestFirst();
      const redacted = secrets.reduce((rest, secret) => rest.replaceAll(secret, redactedText), text);
      return redactTruncatedSecret(redacted, secrets);
    },
  };
}
