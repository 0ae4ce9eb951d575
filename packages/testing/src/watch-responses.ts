import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, expect } from 'vitest';
import { z } from 'zod';
import { isDocumented } from './documented-statuses.ts';

// A set-up file: every response of a host that runs inside a test is as its route declares it, so that none says more
// than the API document. It has a status that the document names, and JSON has no other fields than those of its schema.

const isInitialization = (message: unknown): message is { readonly fastify: FastifyInstance } =>
  typeof message === 'object' && message !== null && 'fastify' in message;

const problems = new Set<string>();

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** The paths of the fields that a schema dropped from an answer. */
function droppedFields(answer: unknown, kept: unknown, path = ''): string[] {
  if (!isObject(answer) || !isObject(kept)) return [];
  return Object.entries(answer).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const field = Array.isArray(answer) ? path : `${path}.${name}`;
    return name in kept ? droppedFields(value, kept[name], field) : [field];
  });
}

/** What an answer has that its schema does not allow. */
function excessOf(schema: z.ZodType, answer: unknown): string[] {
  const { success, data, error } = schema.safeParse(answer);
  return success
    ? droppedFields(answer, data).map((field) => `${field} is not declared`)
    : error.issues.map(({ path, message }) => `.${path.join('.')}: ${message}`);
}

const responsesSchema = z.object({ response: z.record(z.string(), z.unknown()) });

function watchResponses(message: unknown): void {
  if (!isInitialization(message)) return;
  const { fastify } = message;
  fastify.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const { url, config, schema } = routeOptions;
    // Simulators are servers too, without a document.
    if (url !== undefined && fastify.hasDecorator('swagger')) {
      if (isDocumented(fastify, { method, url, config, schema }, statusCode) === false)
        problems.add(`${statusCode} of ${method} ${url}: the API document does not name it`);
    }
    done();
  });
  fastify.addHook('preSerialization', ({ method, routeOptions }, { statusCode }, answer, done) => {
    const { url, schema } = routeOptions;
    const declared = responsesSchema.safeParse(schema).data?.response[statusCode];
    if (declared instanceof z.ZodType)
      for (const each of excessOf(declared, answer))
        problems.add(`${statusCode} of ${method} ${url}: ${each}`);
    done(null, answer);
  });
}

subscribe('fastify.initialization', watchResponses);
afterAll(() => {
  unsubscribe('fastify.initialization', watchResponses);
});

afterEach(() => {
  const found = [...problems];
  problems.clear();
  expect(found, 'responses that are not as their routes declare').toEqual([]);
});
