import { isBookingSystemError, type Warning } from '@waiver-service/core';
import { createSecretRedactor } from '@waiver-service/outbound';

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
 * Makes a call of a plugin whose errors and warnings show none of the account's secrets, even where the booking
 * system repeats them in a value or in a field's name. `headers` are those that authenticate the call.
 */
export async function withoutSecrets<T extends { readonly warnings: readonly Warning[] }>(
  headers: () => Readonly<Record<string, string>>,
  call: (redact: Redact) => Promise<T>,
): Promise<T> {
  const redact: Redact = (text) => createSecretRedactor(headers()).redact(text);
  try {
    const result = await call(redact);
    if (result.warnings.length === 0) return result;
    const { redact: redactAll } = createSecretRedactor(headers());
    return { ...result, warnings: result.warnings.map((warning) => redactWarning(warning, redactAll)) };
  } catch (error) {
    redactError(error, redact);
    throw error;
  }
}

// A shorter key could be an id or a word of the booking by chance, and what is data must stay as it is.
const shortestEchoedKey = 16;

/** Takes the account's secrets out of a booking whose values repeat them: a booking is kept and shown. */
export function redactEchoes(booking: object, headers: Readonly<Record<string, string>>): void {
  const { redact } = createSecretRedactor(headers, shortestEchoedKey);
  // Not recursive: how deep a partner nests is the partner's choice.
  const left: unknown[] = [booking];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (typeof inner !== 'string') left.push(inner ?? null);
      else if (redact(inner) !== inner) Object.assign(value, { [name]: redact(inner) });
    }
  }
}
