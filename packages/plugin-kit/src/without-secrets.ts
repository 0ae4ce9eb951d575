import { isBookingSystemError, type Warning } from '@waiver-service/core';
import { createSecretRedactor, type SecretRedactor } from '@waiver-service/outbound';

type Redact = (text: string) => string;

function redactError(error: unknown, redact: Redact): void {
  if (!isBookingSystemError(error)) return;
  const issues = 'issues' in error && Array.isArray(error.issues) ? error.issues : undefined;
  Object.assign(error, {
    message: redact(error.message),
    stack: redact(error.stack ?? ''),
    ...(issues && {
      issues: issues.map(({ path, message }) => ({ path: redact(path), message: redact(message) })),
    }),
  });
}

function redactWarning({ code, path, message }: Warning, redact: Redact): Warning {
  return { code, ...(path === undefined ? {} : { path: redact(path) }), message: redact(message) };
}

/**
 * Runs a plugin's call and redacts the account's secrets, which are the values of `headers`, from its errors and
 * warnings: a booking system may repeat them in a value or in the name of a field.
 */
export async function withoutSecrets<T extends { readonly warnings: readonly Warning[] }>(
  headers: () => Readonly<Record<string, string>>,
  call: (redact: Redact) => Promise<T>,
): Promise<T> {
  let redactor: SecretRedactor | undefined;
  const redact: Redact = (text) => {
    redactor ??= createSecretRedactor(headers());
    return redactor.redact(text);
  };
  try {
    const result = await call(redact);
    if (result.warnings.length === 0) return result;
    return { ...result, warnings: result.warnings.map((warning) => redactWarning(warning, redact)) };
  } catch (error) {
    redactError(error, redact);
    throw error;
  }
}

// A shorter key could match an id or a word of the booking by chance, and data must not be altered.
const minEchoedKeyLength = 16;

type Nested = Readonly<Record<string, unknown>>;
const isNested = (value: unknown): value is Nested => typeof value === 'object' && value !== null;

/** Redacts, in place, the account's secrets from a booking, since bookings are stored and shown. */
export function redactEchoes(booking: Nested, headers: Readonly<Record<string, string>>): void {
  const { redact } = createSecretRedactor(headers, minEchoedKeyLength);
  // Not recursive: the partner decides how deeply the body is nested.
  const left = [booking];
  const look = (holder: Nested, name: string | number, value: unknown) => {
    if (isNested(value)) left.push(value);
    if (typeof value !== 'string' || value.length < minEchoedKeyLength) return;
    const shown = redact(value);
    if (shown !== value) Object.assign(holder, { [name]: shown });
  };
  // Hot path, run over every booking: it avoids Object.entries, and for…in over lists.
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    if (Array.isArray(holder)) {
      let index = 0;
      for (const value of holder) look(holder, index++, value);
    } else {
      for (const name in holder) look(holder, name, holder[name]);
    }
  }
}
