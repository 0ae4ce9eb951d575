import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import Negotiator from '@fastify/accept-negotiator';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { HostApp } from '../app/host-app.ts';
import {
  describeAccess,
  nameComponents,
  refusals,
  securityOf,
  sharedResponses,
  withOpenAnswers,
  withPlainSchemas,
  withSchemasOnce,
} from './components.ts';
import { partnerEndpoints } from './partner-endpoints.ts';

interface Parameter {
  readonly name?: string;
  readonly $ref?: string;
  readonly required?: boolean;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

interface Operation {
  parameters?: Parameter[];
  security?: object;
  requestBody?: Response;
  readonly responses: Record<string, Response>;
}

interface Described {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

const minUses = 3;

/** The parameters that many operations have, by name; a second one of the same name gets a number. */
function frequentParameters(operations: readonly Operation[]) {
  const parameters = operations.flatMap(({ parameters = [] }) => parameters);
  const uses = [...Map.groupBy(parameters, (parameter) => JSON.stringify(parameter)).values()];
  const named: Record<string, Parameter> = {};
  for (const [first, ...more] of uses) {
    if (!first?.name || more.length + 1 < minUses) continue;
    const others = Object.values(named).filter(({ name }) => name === first.name).length;
    named[others === 0 ? first.name : `${first.name}${others + 1}`] = first;
  }
  return named;
}

/** Creates a function that replaces the named objects by references to them. */
function referTo(section: string, named: Readonly<Record<string, object>>) {
  const names = new Map(Object.entries(named).map(([name, value]) => [JSON.stringify(value), name]));
  return <Value extends object>(value: Value) => {
    const name = names.get(JSON.stringify(value));
    return name === undefined ? value : { $ref: `#/components/${section}/${name}` };
  };
}

const problemContent = JSON.stringify(sharedResponses.Problem.content);

/** A refusal as the common one with a description of its own, which OpenAPI 3.1 lets a reference have. */
const withSharedContent = ({ description, ...response }: Response) =>
  JSON.stringify(response.content) === problemContent
    ? { $ref: '#/components/responses/Problem', description }
    : { description, ...response };

/** Leaves out a schema's description that its response or request body has, too. */
const withDescriptionOnce = ({ content = {}, ...response }: Response) => ({
  ...response,
  content: Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...rest }]) => {
      const { description, ...plain }: { readonly description?: string } = schema ?? {};
      return [type, { ...rest, schema: description === response.description ? plain : schema }];
    }),
  ),
});

/** Says once what operations of an OpenAPI document share: responses, parameters, and how operators authenticate. */
function withSharedComponents<Document extends object>(document: Document): Document {
  const { paths = {}, components }: Described = document;
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const operation of operations) {
    // Parameters are optional by default.
    operation.parameters = operation.parameters?.map(({ required, ...parameter }) =>
      required ? { ...parameter, required } : parameter,
    );
  }
  const parameters = frequentParameters(operations);
  const responseOf = referTo('responses', sharedResponses);
  const parameterOf = referTo('parameters', parameters);
  const security = securityOf('owner');
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const shared = responseOf(response);
      operation.responses[status] =
        shared === response ? withSharedContent(withDescriptionOnce(response)) : shared;
    }
    operation.requestBody = operation.requestBody && withDescriptionOnce(operation.requestBody);
    if (operation.parameters) operation.parameters = operation.parameters.map(parameterOf);
    if (JSON.stringify(operation.security) === JSON.stringify(security)) delete operation.security;
  }
  return { ...document, security, components: { ...components, responses: sharedResponses, parameters } };
}

const encodings = ['br', 'gzip'];

/**
 * Creates the handler that serves the OpenAPI document. Serializes and compresses it once, because anyone may request
 * it any number of times, and returns 304 to clients that have it.
 */
function serveDocument(app: HostApp) {
  const write = async () => {
    const text = Buffer.from(JSON.stringify(app.swagger()));
    const [br, gzipped] = await Promise.all([promisify(brotliCompress)(text), promisify(gzip)(text)]);
    const bodies = new Map([
      ['br', br],
      ['gzip', gzipped],
    ]);
    // Weak: the same document in each encoding.
    return { text, bodies, etag: `W/"${hash('sha256', text, 'base64url')}"` };
  };
  let written: ReturnType<typeof write> | undefined;
  return async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    written ??= write();
    const { text, bodies, etag } = await written;
    reply.headers({ etag, 'cache-control': 'public, max-age=60', vary: 'accept-encoding' });
    const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^(?!W\/)/, 'W/'));
    if (known?.includes(etag)) return reply.code(304).send();
    const encoding = Negotiator.negotiate(headers['accept-encoding'] ?? '', encodings) ?? '';
    const body = bodies.get(encoding);
    if (body !== undefined) reply.header('content-encoding', encoding);
    return reply.type('application/json; charset=utf-8').send(body ?? text);
  };
}

const name = 'Waiver service: HTTP API';

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 260 40" width="260" height="40"><title>${name}</title><text x="0" y="28" font-family="sans-serif" font-size="26" font-weight="700" fill="#fff">Waiver service</text></svg>`;

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1b1b1b"/><text x="16" y="24" font-family="sans-serif" font-size="22" font-weight="700" text-anchor="middle" fill="#fff">W</text></svg>';

// With our name at the top and no field for the URL of another document.
const look = {
  logo: { type: 'image/svg+xml', content: logo, href: '/docs' },
  theme: {
    title: name,
    css: [
      {
        filename: 'waiver-service.css',
        content: '.swagger-ui .topbar .download-url-wrapper { display: none }',
      },
    ],
    favicon: [{ filename: 'favicon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
  },
};

// The page loads its own scripts and styles, and calls only this host; its styles are partly inline.
const contentPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': "'self'",
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** Serves `/docs`. @param serveDocument - the handler of the OpenAPI document */
async function serveDocsPage(app: HostApp, serveDocument: RouteHandlerMethod): Promise<void> {
  await app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      // Swagger UI's own handler would serialize the document for each request.
      if (route.url === '/docs/json') route.handler = serveDocument;
    });
    docs.addHook('onSend', async ({ routeOptions }, reply) => {
      if (routeOptions.url?.startsWith('/docs/static/')) {
        reply.header('cache-control', 'public, max-age=3600');
      }
    });
    await docs.register(swaggerUi, { routePrefix: '/docs', staticCSP: contentPolicy, ...look });
  });
}

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
