import { hash, timingSafeEqual } from 'node:crypto';
import { isBookingSystemError, type SentSecrets, type Warning } from '@waiver-service/core';

const digest = (text: string) => hash('sha256', text, 'buffer');

/** Whether a received secret or signature is the expected one, compared in constant time. */
export function isSameSecret(received: unknown, expected: string): boolean {
  return typeof received === 'string' && timingSafeEqual(digest(received), digest(expected));
}

// Chains of causes are short, but may be circular.
const maxCauses = 10;

function redactTexts(error: Error, redact: (text: string) => string): void {
  const message = redact(error.message);
  const stack = redact(error.stack ?? '');
  // Assigned only if changed: not every error is writable.
  if (message !== error.message) error.message = message;
  if (stack !== error.stack) error.stack = stack;
}

/** Redacts an error and its causes in place, whatever their source: even a parser's error may quote its input. */
function redactError(thrown: unknown, secrets: SentSecrets): void {
  const redact = (text: string) => secrets.redact(text);
  let error = thrown;
  for (let depth = 0; error instanceof Error && depth < maxCauses; depth += 1) {
    redactTexts(error, redact);
    if (isBookingSystemError(error) && 'issues' in error && Array.isArray(error.issues)) {
      const issues = error.issues.map(({ path, message }) => ({
        path: redact(path),
        message: redact(message),
      }));
      Object.assign(error, { issues });
    }
    error = error.cause;
  }
}

function redactWarning({ code, path, message }: Warning, secrets: SentSecrets): Warning {
  return {
    code,
    ...(path === undefined ? {} : { path: secrets.redact(path) }),
    message: secrets.redact(message),
  };
}

/** Runs a plugin's call, and redacts the secrets that it has sent from its errors. */
export async function withoutSecretsInErrors<T>(secrets: SentSecrets, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    redactError(error, secrets);
    throw error;
  }
}

/**
 * Runs a plugin's call, and redacts the secrets that it has sent from its errors and warnings: a booking system may
 * repeat a secret in a value or in a field's name.
 */
export async function withoutSecrets<T extends { readonly warnings: readonly Warning[] }>(
  secrets: SentSecrets,
  call: () => Promise<T>,
): Promise<T> {
  const result = await withoutSecretsInErrors(secrets, call);
  if (result.warnings.length === 0) return result;
  return { ...result, warnings: result.warnings.map((warning) => redactWarning(warning, secrets)) };
}

type Nested = Record<string, unknown>;
const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

/** Redacts sent secrets in a booking, in place, because bookings are stored and shown. */
export function redactEchoes(booking: object, secrets: SentSecrets): void {
  // Not recursive: the partner decides how deeply the body is nested.
  const left: unknown[] = [booking];
  const shownOf = (value: unknown): unknown => {
    if (typeof value === 'string') return secrets.redactData(value);
    if (isNested(value)) left.push(value);
    return value;
  };
  // Hot path, run over every booking: it avoids Object.entries, and for…in over lists.
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    if (Array.isArray(holder)) {
      for (let index = 0; index < holder.length; index += 1) {
        const value: unknown = holder[index];
        const shown = shownOf(value);
        if (shown !== value) holder[index] = shown;
      }
    } else if (isNested(holder)) {
      for (const name in holder) {
        const value = holder[name];
        const shown = shownOf(value);
        const shownName = secrets.redactData(name);
        if (shownName !== name) delete holder[name];
        if (shownName !== name || shown !== value) holder[shownName] = shown;
      }
    }
  }
}
