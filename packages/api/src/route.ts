import { z } from 'zod';
import { pathParameters } from './fields.ts';
import type { Role, TokenScope } from './names.ts';

/**
 * Who may call a route. Each route names one, so that none is open by oversight.
 *
 * - `public`: anyone.
 * - `owner`, `operator`, `viewer`: a person with at least this role. Viewers only read.
 * - a scope, such as `waivers:read`: an access token of the pool in the path's `:pool` that has it, or a person of that
 *   pool: a viewer to read, an operator to write.
 * - `check-in-link`: the token of a check-in link, which the routes check themselves.
 * - `booking-system`: a booking system's key, which the route checks itself since it may be in the body.
 */
export type RouteAccess = 'public' | Role | TokenScope | 'booking-system' | 'check-in-link';

/**
 * How a route for operators or viewers without a `:pool` in its path is kept to the caller's pools:
 *
 * - `alert`, `delivery`, `destination`, `recovery`: its `:id` names one, whose pools count.
 * - `by-handler`: the handler keeps to the caller's pools.
 * - `none`: nothing in it belongs to a pool.
 */
export type PoolCheck = 'alert' | 'delivery' | 'destination' | 'recovery' | 'by-handler' | 'none';

/** What the service's hooks and the OpenAPI document need to know of a route. */
export interface RouteConfig {
  readonly access: RouteAccess;
  readonly poolCheck?: PoolCheck;
  /** Whether reads are recorded in the audit log. Changes always are; `once-a-minute` skips equal ones. */
  readonly audited?: true | 'once-a-minute';
  /** Whether it serves a file of our pages: a browser that opens one for the first time loads many. */
  readonly isPageFile?: true;
  /** The route's own refusals, by status, for the OpenAPI document; those of its kind are added. */
  readonly problems?: Readonly<Record<number, string>>;
}

/** A schema, or one for each content type. */
type Content = z.ZodType | { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };

/** A route without its handler, in the form that Fastify takes. */
export interface RouteDeclaration {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly config: RouteConfig;
  /** Whether HEAD is answered as GET is; it is by default. */
  readonly exposeHeadRoute?: boolean;
  /** The maximum size of the body in bytes. */
  readonly bodyLimit?: number;
  readonly schema: {
    readonly operationId: string;
    readonly tags?: readonly string[];
    readonly summary: string;
    readonly description?: string;
    readonly consumes?: readonly string[];
    readonly produces?: readonly string[];
    readonly params?: z.ZodType;
    readonly querystring?: z.ZodType;
    readonly body?: Content;
    /** By status. */
    readonly response: Readonly<Record<number, Content>>;
  };
}

type Method = RouteDeclaration['method'];

/** What a route says beside its method and path: its schema's parts stand with the others. */
type Parts = Omit<RouteDeclaration, 'method' | 'url' | 'schema'> & RouteDeclaration['schema'];

/** The names of the parameters in a path. */
type NamesIn<Url extends string> = Url extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Url extends `${string}/:${infer Name}`
    ? Name
    : never;

type PathParameters = typeof pathParameters;

/** The schema of a path's parameters, unless the route has one of its own. */
type PathParams<Url extends string, Given> = Given extends { readonly params: z.ZodType }
  ? object
  : [NamesIn<Url>] extends [never]
    ? object
    : {
        params: z.ZodObject<{
          [Name in NamesIn<Url>]: Name extends keyof PathParameters ? PathParameters[Name] : never;
        }>;
      };

function pathParams<Url extends string, Given extends Parts>(url: Url, given: Given): PathParams<Url, Given>;
function pathParams(url: string, { params }: Parts): object {
  const names = url.split('/').filter((part) => part.startsWith(':'));
  if (params !== undefined || names.length === 0) return {};
  const described = Object.entries(pathParameters).filter(([name]) => names.includes(`:${name}`));
  if (described.length < names.length) throw new Error(`nothing describes a parameter of ${url}`);
  return { params: z.object(Object.fromEntries(described)) };
}

const declared =
  <const M extends Method>(method: M) =>
  <const Url extends string, const Given extends Parts>(url: Url, given: Given) => {
    const { config, exposeHeadRoute, bodyLimit, ...schema } = given;
    return {
      method,
      url,
      config,
      exposeHeadRoute,
      bodyLimit,
      schema: { ...schema, ...pathParams(url, given) },
    };
  };

/** Declares routes by their method: the host adds the handler, clients take the types. */
export const route = {
  get: declared('GET'),
  post: declared('POST'),
  put: declared('PUT'),
  patch: declared('PATCH'),
  delete: declared('DELETE'),
};

/** The schema of a part of a request; never if the route has no such part. */
type Part<Route extends RouteDeclaration, Name extends string> = Route['schema'] extends {
  readonly [name in Name]: infer Schema extends z.ZodType;
}
  ? z.input<Schema>
  : never;

/** The parameters in a route's path, as a client gives them. */
export type ParamsOf<Route extends RouteDeclaration> = Part<Route, 'params'>;
/** A route's query, as a client gives it. */
export type QueryOf<Route extends RouteDeclaration> = Part<Route, 'querystring'>;
/** A route's body, as a client sends it. */
export type BodyOf<Route extends RouteDeclaration> = Part<Route, 'body'>;

/** The JSON that a route answers when it succeeds: times are texts. */
export type AnswerOf<Route extends RouteDeclaration> = {
  [Status in keyof Route['schema']['response']]: Status extends 200 | 201 | 202 | 204
    ? Route['schema']['response'][Status] extends infer Schema extends z.ZodType
      ? z.output<Schema>
      : unknown
    : never;
}[keyof Route['schema']['response']];

/** An item of a list. */
export type ItemOf<Route extends RouteDeclaration> =
  AnswerOf<Route> extends {
    readonly items: readonly (infer Item)[];
  }
    ? Item
    : never;
