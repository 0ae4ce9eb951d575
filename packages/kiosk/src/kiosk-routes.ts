import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import {
  changeKiosk,
  createKiosk,
  listKiosks,
  makePairingCode,
  type pinVerifierSchema,
  revokeKiosk,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { changeActorOf, HttpProblem, pageOf } from '@waiver-service/http';
import { BaseUrl, requirePool } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { KioskStore } from './data/kiosk-store.ts';
import type { StoredKiosk } from './data/kiosks.ts';

const derive = promisify(pbkdf2);

// OWASP's recommendation for PBKDF2 with SHA-256, the slow hash that browsers have, too.
const iterations = 600_000;

/** @returns JSON of a {@link pinVerifierSchema} */
async function pinVerifier(pin: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(pin, salt, iterations, 32, 'sha256');
  const verifier: z.infer<typeof pinVerifierSchema> = {
    salt: salt.toString('base64url'),
    iterations,
    hash: hash.toString('base64url'),
  };
  return JSON.stringify(verifier);
}

const defaultReturnS = 60;

const notFound = () => new HttpProblem(404, 'kiosk_not_found', 'This pool has no kiosk with this id.');

const answerOf = ({ pool: _, ...kiosk }: StoredKiosk) => kiosk;

/** The kiosks of a pool, as operators see them. */
@injectable()
export class KioskRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(KioskStore) readonly store: KioskStore,
  ) {}

  addRoutes(app: HostApp): void {
    const { kiosks } = this.store;
    const kioskUrl = () => `${this.baseUrl()}/check-in/kiosk`;

    app.route({
      ...createKiosk,
      handler: async ({ params: { pool }, body, caller }, reply) => {
        await requirePool(this, pool);
        const made = await kiosks.create(pool, {
          name: body.name,
          pinVerifier: await pinVerifier(body.pin),
          returnAfterS: body.returnAfterS ?? defaultReturnS,
          createdBy: changeActorOf(caller)?.id ?? '',
        });
        if (made === undefined)
          throw new HttpProblem(409, 'too_many_kiosks', 'A pool has at most 100 kiosks: revoke one first.');
        const { id, code, expiresAt } = made;
        return reply.code(201).send({ id, code, codeExpiresAt: expiresAt, url: kioskUrl() });
      },
    });

    app.route({
      ...listKiosks,
      handler: async ({ params: { pool }, query }) => {
        await requirePool(this, pool);
        return pageOf(kiosks.list(pool, query), answerOf);
      },
    });

    app.route({
      ...changeKiosk,
      handler: async ({ params: { pool, id }, body: { pin, name, returnAfterS } }) => {
        const verifier = pin && (await pinVerifier(pin));
        const kiosk = await kiosks.change(pool, id, { name, returnAfterS, pinVerifier: verifier });
        if (kiosk === undefined) throw notFound();
        return answerOf(kiosk);
      },
    });

    app.route({
      ...makePairingCode,
      handler: async ({ params: { pool, id } }, reply) => {
        const made = await kiosks.newCode(pool, id);
        if (made === undefined) throw notFound();
        return reply.code(201).send({ code: made.code, codeExpiresAt: made.expiresAt, url: kioskUrl() });
      },
    });

    app.route({
      ...revokeKiosk,
      handler: async ({ params: { pool, id } }, reply) => {
        if (!(await kiosks.revoke(pool, id))) throw notFound();
        return reply.code(204).send(null);
      },
    });
  }
}
