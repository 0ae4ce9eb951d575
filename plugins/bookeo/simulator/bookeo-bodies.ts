import type { SimulatedAnswer } from '@waiver-service/simulator';

/** A response in Bookeo's error format. */
export const refuse = (status: number, message: string): SimulatedAnswer => ({
  status,
  body: { httpStatus: status, message, errorId: `E${status}` },
});

/** The value if it is a JSON object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}

/** Parses a body; `undefined` unless it is a JSON object. */
export function readObject(body: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return objectOf(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** The first problem with a person's custom fields. */
export function fieldProblem(fields: unknown, known: readonly string[]): string | undefined {
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) return 'customFields must be a list';
  const problems = fields.map((field: unknown) => {
    const { id, name = '', value } = objectOf(field) ?? {};
    const key = String(id ?? name);
    if (!known.includes(key)) return `there is no customer custom field ${JSON.stringify(key)}`;
    return typeof value === 'string' ? undefined : `the custom field ${JSON.stringify(key)} needs a value`;
  });
  return problems.find((problem) => problem !== undefined);
}
