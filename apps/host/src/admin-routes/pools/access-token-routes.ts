import {
  type accessTokenSchema,
  createAccessToken,
  deleteAccessToken,
  listAccessTokens,
} from '@waiver-service/api';
import type { AccessToken } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { requirePool } from '../admin-paths.ts';
import { keyItem } from '../key-item.ts';

function accessTokenAnswer(token: AccessToken): z.input<typeof accessTokenSchema> {
  const { name, scopes, expiresAt } = token;
  return { ...keyItem(token), name, scopes: [...scopes], expiresAt };
}

/** The access tokens of a pool, with which its waiver app authenticates. */
@injectable()
export class AccessTokenRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...createAccessToken,
      handler: async ({ params, body }, reply) => {
        await requirePool(this, params.pool);
        const { id, token } = await store.accessTokens.create(params.pool, body);
        return reply.code(201).send({ id, token });
      },
    });

    app.route({
      ...listAccessTokens,
      handler: async ({ params, query }) => {
        await requirePool(this, params.pool);
        return pageOf(store.accessTokens.list(params.pool, query), accessTokenAnswer);
      },
    });

    app.route({
      ...deleteAccessToken,
      handler: async ({ params: { pool, id } }, reply) => {
        await requirePool(this, pool);
        if (await store.accessTokens.remove(pool, id)) return reply.code(204).send(null);
        throw new HttpProblem(404, 'access_token_not_found', 'This pool has no access token with this id.');
      },
    });
  }
}
