import {
  createCredential,
  type credentialSchema,
  deleteCredential,
  listCredentials,
} from '@waiver-service/api';
import type { Credential } from '@waiver-service/store';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { Store } from '../../given.ts';
import type { HostApp, RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { keyItem } from '../key-item.ts';
import { requirePoolsExist } from '../pools-exist.ts';

function credentialAnswer(credential: Credential): z.input<typeof credentialSchema> {
  const { name, role, pools, expiresAt } = credential;
  return { ...keyItem(credential), name, role, pools: pools && [...pools], expiresAt };
}

/** The tokens of people and programs, with roles. The admin token is separate, and cannot be revoked here. */
@injectable()
export class CredentialRoutes implements RouteModule {
  constructor(@inject(Store) readonly store: Store) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...createCredential,
      handler: async ({ body }, reply) => {
        await requirePoolsExist(this, body.pools ?? []);
        const { id, token } = await store.credentials.create(body);
        return reply.code(201).send({ id, token });
      },
    });

    app.route({
      ...listCredentials,
      handler: async ({ query }) => {
        return pageOf(store.credentials.list(query), credentialAnswer);
      },
    });

    app.route({
      ...deleteCredential,
      handler: async ({ params }, reply) => {
        if (await store.credentials.remove(params.id)) return reply.code(204).send(null);
        throw new HttpProblem(404, 'credential_not_found', 'There is no credential with this id.');
      },
    });
  }
}
