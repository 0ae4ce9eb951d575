import swagger from '@fastify/swagger';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { HostApp } from '../http/host-app.ts';
import { describeAccess, refusals, securityOf } from './common-answers.ts';
import { nameComponents } from './components.ts';
import { serveDocsPage } from './docs-page.ts';
import { partnerEndpoints } from './partner-endpoints.ts';
import { withOpenAnswers, withPlainSchemas } from './plain-schemas.ts';
import { withSchemasOnce } from './schemas-once.ts';
import { serveDocument } from './serve-document.ts';
import { withSharedComponents } from './shared-components.ts';

const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description }) as const;

type Transform = typeof jsonSchemaTransform;

const successes: Readonly<Record<string, string>> = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted; processed in the background.',
  204: 'Success, without a body.',
  503: 'Not ready.',
};

const ownAnswers = (own: object) =>
  Object.fromEntries(
    Object.entries(own).map(([status, schema]) => [status, { description: successes[status], ...schema }]),
  );

const transform: Transform = (document) => {
  const transformed = jsonSchemaTransform(document);
  const { access = 'public', problems = {} } = document.route.config ?? {};
  const { response, description, ...schema } = transformed.schema;
  const own = typeof response === 'object' && response !== null ? response : {};
  const answers = { ...refusals(access, problems), ...ownAnswers(own) };
  const sentences = [description, describeAccess(access)].filter((sentence) => sentence !== undefined);
  return {
    url: transformed.url,
    schema: {
      // Most routes are for operators.
      ...(document.url.startsWith('/v1/admin/') ? { tags: ['Operators'] } : {}),
      ...schema,
      ...(sentences.length === 0 ? {} : { description: sentences.join(' ') }),
      response: answers,
      security: securityOf(access),
    },
  };
};

/** Routes are registered in an order that may differ from start to start; the document stays the same. */
function sortKeys(paths: object): void {
  for (const [path, operations] of Object.entries(paths).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    Reflect.deleteProperty(paths, path);
    Reflect.set(paths, path, operations);
  }
}

/**
 * Serves `/openapi.json`, generated from the schemas that validate requests, and `/docs`. Register it before the routes
 * it describes.
 */
export async function describeApi(app: HostApp, options: { readonly version: string }): Promise<void> {
  nameComponents();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Waiver service',
        version: options.version,
        description:
          'Connects waivers to booking systems. Every error response is a `Problem`. Ids in a path are percent-encoded.',
      },
      tags: [
        { name: 'Booking systems', description: 'Called by booking systems.' },
        { name: 'Bookings', description: 'Reading bookings, for waiver apps.' },
        { name: 'Waivers', description: 'Storing, changing and reading waivers, for waiver apps.' },
        {
          name: 'Check-in',
          description:
            'Signing by guests: check-in links, invitations, and the requests of the check-in page.',
        },
        { name: 'Operators', description: 'The admin API.' },
        { name: 'Console', description: 'Signing in to the web console.' },
        { name: 'Machines', description: 'Health and metrics.' },
      ],
      components: {
        securitySchemes: {
          adminToken: bearer('The admin token, from the setting ADMIN_TOKEN. Has the role owner.'),
          credential: bearer('A credential of a person or a program, with a role.'),
          poolAccessToken: bearer('An access token of the pool in the path.'),
        },
      },
    },
    transform,
    transformObject(document) {
      const described = { ...jsonSchemaTransformObject(document), webhooks: partnerEndpoints };
      if ('paths' in described) sortKeys(described.paths ?? {});
      return withSharedComponents(withOpenAnswers(withSchemasOnce(withPlainSchemas(described))));
    },
  });
  const serve = serveDocument(app);
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { access: 'public' },
    schema: { hide: true },
    handler: serve,
  });
  app.route({
    method: 'GET',
    url: '/',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async ({ headers }, reply) => {
      reply.header('vary', 'accept');
      if (headers.accept?.includes('text/html')) return reply.redirect('/console/', 302);
      return {
        name: 'Waiver service',
        version: options.version,
        docs: '/docs',
        openapi: '/openapi.json',
        console: '/console',
      };
    },
  });
  await serveDocsPage(app, serve);
}
