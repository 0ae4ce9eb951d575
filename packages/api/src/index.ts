import type * as api from './resources.ts';

export * from './resources.ts';

/** Every route of the API. */
export type ApiRoute = Extract<(typeof api)[keyof typeof api], api.RouteDeclaration>;
