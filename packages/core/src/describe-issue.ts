import type { z } from 'zod';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  url: 'an address such as https://example.com',
  email: 'an email address such as name@example.com',
  datetime: 'a date-time such as 2027-06-12T07:30:00Z',
  date: 'a date such as 2027-06-12',
  time: 'a time such as 07:30:00',
  uuid: 'a UUID',
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeNames[typeof value] ?? typeof value;
}

const isNonFinite = (value: unknown) => typeof value === 'number' && !Number.isFinite(value);

function mustBe(expected: readonly string[], input: unknown): string {
  if (input === undefined) return 'is missing';
  const types = [...new Set(expected)].map((type) => typeNames[type] ?? type);
  const wanted = types.join(' or ');
  // NaN, infinities and fractions are of type number: "must be a number, not a number" would not help.
  const differs = !isNonFinite(input) && !types.includes('a whole number');
  return `must be ${wanted}${differs ? `, not ${typeOf(input)}` : ''}`;
}

const quoted = (values: readonly unknown[]) =>
  values
    .map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value)))
    .map((text) => text ?? 'nothing')
    .join(', ');

function oneOf(values: readonly unknown[], input: unknown): string {
  const sentence = values.length === 1 ? `must be ${quoted(values)}` : `must be one of ${quoted(values)}`;
  return input === undefined ? `is missing: it ${sentence}` : sentence;
}

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

interface Limit {
  readonly origin: string;
  readonly value: number | bigint;
  readonly inclusive: boolean | undefined;
  readonly exact: boolean | undefined;
}

function limitSentence(end: 'most' | 'least', { origin, value, inclusive, exact }: Limit): string {
  const [one, many] = units[origin] ?? [];
  if (many !== undefined) {
    if (end === 'least' && value === 1 && exact !== true) return 'is empty';
    return `must have ${exact === true ? 'exactly' : `at ${end}`} ${value} ${value === 1 ? one : many}`;
  }
  if (inclusive === false) return `must be ${end === 'most' ? 'less' : 'more'} than ${value}`;
  return `must be at ${end} ${value}`;
}

function formatSentence(format: string): string {
  const wanted = formats[format];
  if (wanted !== undefined) return `must be ${wanted}`;
  return format === 'regex' ? 'does not have the required format' : `must be a well-formed ${format}`;
}

/** The types that a union accepts, if every one of its branches failed on the type of the value itself. */
function expectedTypes(branches: readonly (readonly Issue[])[]): string[] | undefined {
  const expected = branches.flatMap(([issue]) =>
    issue?.code === 'invalid_type' && issue.path.length === 0 ? [issue.expected] : [],
  );
  return expected.length > 0 && expected.length === branches.length ? expected : undefined;
}

function unionSentence(issue: RawIssue & { readonly code: 'invalid_union' }): string {
  const { discriminator, options, errors, input } = issue;
  if (discriminator !== undefined && Array.isArray(options)) {
    const given: unknown =
      typeof input === 'object' && input !== null ? Reflect.get(input, discriminator) : undefined;
    return oneOf(options, given);
  }
  const expected = expectedTypes(errors);
  return expected === undefined ? 'matches none of the allowed forms' : mustBe(expected, input);
}

/**
 * Describes an issue as the predicate of a sentence whose subject is the field: `is missing`, `must be a text, not a
 * number`. Meant for the `error` option of zod's parsing functions; a message set on a schema takes precedence. The
 * value itself is never quoted.
 */
export function describeIssue(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe([issue.expected], issue.input);
    case 'invalid_value':
      return oneOf(issue.values, issue.input);
    case 'too_big':
      return limitSentence('most', {
        ...issue,
        value: issue.maximum,
        inclusive: issue.inclusive,
        exact: issue.exact,
      });
    case 'too_small':
      return limitSentence('least', {
        ...issue,
        value: issue.minimum,
        inclusive: issue.inclusive,
        exact: issue.exact,
      });
    case 'invalid_format':
      return formatSentence(issue.format);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `has unknown fields: ${quoted(issue.keys)}`;
    case 'invalid_union':
      return unionSentence(issue);
    case 'invalid_key':
      return 'has a name that is not allowed';
    default:
      return 'is not valid';
  }
}
