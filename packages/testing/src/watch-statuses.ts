import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, expect } from 'vitest';
import { isDocumented } from './documented-statuses.ts';

// A set-up file: every response of a host that runs inside a test has a status that the API document names.

const isInitialization = (message: unknown): message is { readonly fastify: FastifyInstance } =>
  typeof message === 'object' && message !== null && 'fastify' in message;

const undocumented = new Set<string>();

function watchResponses(message: unknown): void {
  if (!isInitialization(message)) return;
  const { fastify } = message;
  fastify.addHook('onSend', ({ method, routeOptions }, { statusCode }, _payload, done) => {
    const { url, config, schema } = routeOptions;
    // Simulators are servers too, without a document.
    if (url !== undefined && fastify.hasDecorator('swagger')) {
      if (isDocumented(fastify, { method, url, config, schema }, statusCode) === false)
        undocumented.add(`${statusCode} of ${method} ${url}`);
    }
    done();
  });
}

subscribe('fastify.initialization', watchResponses);
afterAll(() => {
  unsubscribe('fastify.initialization', watchResponses);
});

afterEach(() => {
  const found = [...undocumented];
  undocumented.clear();
  expect(found, 'statuses that the API document does not name').toEqual([]);
});
