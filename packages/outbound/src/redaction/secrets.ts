/** What stands in a text where a secret stood. */
export const redactedText = '«redacted»';

// A shorter text is a flag or a version, not a key; replacing it would make answers unreadable.
const shortestSecret = 6;

const plainHeaders = new Set([
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

// RFC 3986's unreserved characters: a text of these is spelled the same everywhere.
const hasOneSpelling = /^[\w.~-]*$/;

// A partner that echoes a key may write it as JSON or as a part of a URL.
const spellings = (secret: string) =>
  hasOneSpelling.test(secret)
    ? [secret]
    : [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];

function secretsIn(headers: Readonly<Record<string, string>>, shortest: number): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(headers)) {
    if (plainHeaders.has(name.toLowerCase())) continue;
    for (const secret of credentialsIn(value).flatMap(spellings)) {
      if (secret.length >= shortest) secrets.add(secret);
    }
  }
  return [...secrets].sort((a, b) => b.length - a.length);
}

// Fewer characters say nothing of a key.
const shortestBeginning = 4;

// An answer that broke off may end in the middle of a key that it echoed.
function withoutBegunSecret(text: string, secrets: readonly string[]): string {
  for (const secret of secrets) {
    for (let length = Math.min(secret.length - 1, text.length); length >= shortestBeginning; length -= 1) {
      if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + redactedText;
    }
  }
  return text;
}

/** Takes the secrets of one client out of texts. */
export interface SecretRedactor {
  /** Takes out every secret, and the beginning of one that a text ends with. */
  redact(text: string): string;
  /** Length of the longest secret: that much more of a text must be read before it is cut. */
  readonly reach: number;
}

/**
 * Makes a redactor for the header values of one client; headers that never carry a secret are left readable.
 * @param shortest - length of the shortest text that counts as a secret
 */
export function createSecretRedactor(
  headers: Readonly<Record<string, string>>,
  shortest = shortestSecret,
): SecretRedactor {
  // Only once there is something to show: most calls have nothing to take out.
  let found: readonly string[] | undefined;
  const longestFirst = () => {
    found ??= secretsIn(headers, shortest);
    return found;
  };
  return {
    get reach() {
      return longestFirst()[0]?.length ?? 0;
    },
    redact(text) {
      if (text === '') return '';
      const secrets = longestFirst();
      const without = secrets.reduce((rest, secret) => rest.replaceAll(secret, redactedText), text);
      return withoutBegunSecret(without, secrets);
    },
  };
}
