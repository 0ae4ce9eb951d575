import type { z } from 'zod';
import type * as api from './resources.ts';
import type { RouteDeclaration } from './route.ts';

type Declared = (typeof api)[keyof typeof api];

/** Every route of the API. */
export type ApiRoute = Extract<Declared, RouteDeclaration>;

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
