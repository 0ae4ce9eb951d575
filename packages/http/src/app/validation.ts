import { describeIssue } from '@waiver-service/core';
import type { FastifySchemaCompiler } from 'fastify';
import { z } from 'zod';
import { malformed, type ProblemDetail } from '../answers/http-problem.ts';
import { findUnstorable } from './json-body.ts';

function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

// An unknown field is named by its own path, like every other field.
function unknownFields(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({
    ...issue,
    path: [...issue.path, key],
    message: 'there is no such field',
  }));
}

// The branch of a union that got furthest describes the fault best.
function innerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  // If all branches expect another type, the union's own message names them all.
  const ofType = (branch: readonly z.core.$ZodIssue[]) =>
    branch.every(({ code, path }) => code === 'invalid_type' && path.length === 0);
  if (issue.errors.every(ofType)) return [issue];
  const reach = (branch: readonly z.core.$ZodIssue[]) =>
    Math.max(...branch.map(({ path, code }) => path.length * 2 + (code === 'invalid_type' ? 0 : 1)));
  const [best = []] = issue.errors.toSorted((one, other) => reach(other) - reach(one));
  return best.flatMap(innerIssues).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The issues of a zod error, at most 50 so that the response stays small. */
export function problemDetails(error: z.core.$ZodError, basePath = ''): ProblemDetail[] {
  return error.issues
    .flatMap(innerIssues)
    .flatMap(unknownFields)
    .slice(0, 50)
    .map((issue) => {
      const path = [basePath, pathText(issue.path)].filter((part) => part !== '').join('.');
      return { path: path.slice(0, 300), message: issue.message.slice(0, 300) };
    });
}

/** Validates the parts of a request with the zod schemas of its route. Faults become a 400 that names them. */
export const zodValidatorCompiler: FastifySchemaCompiler<unknown> = ({ schema, httpPart }) => {
  if (!(schema instanceof z.core.$ZodType)) throw new TypeError('The schema of a route is not a zod schema.');
  const mayBeMissing = z.safeParse(schema, undefined).success;
  return (data: unknown) => {
    const isBody = httpPart === 'body';
    // Fastify passes null for a missing body.
    const isMissing = isBody && (data === undefined || data === null);
    if (isMissing && !mayBeMissing) {
      return { error: malformed([{ path: '', message: 'a JSON object is expected in the body' }]) };
    }
    const unstorable = findUnstorable(isBody ? data : { ...Object(data) });
    if (unstorable !== undefined) return { error: malformed([unstorable]) };
    const parsed = z.safeParse(schema, isMissing ? undefined : data, { error: describeIssue });
    return parsed.success ? { value: parsed.data } : { error: malformed(problemDetails(parsed.error)) };
  };
};
