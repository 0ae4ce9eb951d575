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
