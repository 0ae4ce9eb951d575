import { sendSealedSigning } from '@waiver-service/api';
import { CannotOpen, openEnvelope } from '@waiver-service/forms/envelope';
import {
  countedAddress,
  createFailureThrottle,
  createPoolShare,
  type HostApp,
  HttpProblem,
  inPath,
  type RouteModule,
  signingActorOf,
} from '@waiver-service/http';
import { BaseUrl } from '@waiver-service/integration';
import type { FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import { z } from 'zod';
import type { StoredSealingKey } from '../data/sealing-keys.ts';
import { SigningStore } from '../data/signing-store.ts';
import { GuestBudgets } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { OpenedBookings } from '../links/link-booking.ts';
import { SigningSettings } from '../signing-settings.ts';
import { FindKiosk } from './kiosk-caller.ts';
import { findLatePlace, readLateBody, storeLateSigning } from './late-signing.ts';
import { signingAnswer, signingShare, userAgentOf } from './signing-route.ts';

// Shared by the guests behind one address, such as a hotel's.
const wrongEnvelopesPerMinute = 60;

/** Those without a known link have the budget of one, from however many addresses they send. */
const strangersOf = (pool: string) => `strangers of ${pool}`;

const unknownKey = () => new HttpProblem(404, 'sealing_key_not_found', 'No pool has a key with this id.');

const cannotOpen = () =>
  new HttpProblem(
    422,
    'envelope_damaged',
    'The envelope does not open with this key. Keep it, and show the device to the operator.',
  );

/**
 * `POST /check-in/api/sealed-signings/{key}`: a signing that waited on a device. The envelope contains its link's
 * token, so that the device keeps neither the token nor the signing in the clear.
 */
@injectable()
export class SealedSigningRoute implements RouteModule {
  constructor(
    @inject(SigningSettings) readonly settings: SigningSettings,
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(SigningStore) readonly store: SigningStore,
    @inject(FindKiosk) readonly findKiosk: FindKiosk,
    @inject(OpenedBookings) readonly openedBookings: OpenedBookings,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const { guestBudgets } = this;
    const throttle = createFailureThrottle(wrongEnvelopesPerMinute);
    const keys = new WeakMap<FastifyRequest, StoredSealingKey>();
    const keyOf = (request: FastifyRequest): StoredSealingKey => {
      const key = keys.get(request);
      if (key === undefined) throw new Error('the key of an envelope is read before its body');
      return key;
    };
    const share = createPoolShare<FastifyRequest>({
      ...signingShare(this),
      sourceOf: (request) => ({ pool: keyOf(request).pool, link: null, address: request.ip }),
    });
    app.route({
      ...sendSealedSigning,
      onRequest: async (request) => {
        const id = inPath(request, 'key') ?? '';
        const key = z.uuid().safeParse(id).success ? await this.store.sealingKeys.find(id) : undefined;
        if (key === undefined) {
          throttle.record({ caller: countedAddress(request.ip), key: id });
          throw unknownKey();
        }
        keys.set(request, key);
        guestBudgets.check('sign', { pool: key.pool, link: null, address: request.ip });
      },
      preParsing: share.take,
      handler: (request, reply) =>
        share.handle(request, async () => {
          const key = keyOf(request);
          let text: string;
          try {
            text = await openEnvelope(key, request.body.envelope);
          } catch (error) {
            if (!(error instanceof CannotOpen)) throw error;
            throttle.record({ caller: countedAddress(request.ip), key: key.id });
            throw cannotOpen();
          }
          const body = readLateBody(text);
          const receivedAt = await this.store.signings.receivedNow();
          const { place, signedAt, caller } = await findLatePlace(this, key.pool, body, receivedAt);
          if (caller !== undefined) request.caller = caller;
          const link = place.id ?? strangersOf(key.pool);
          const guests = body.signing?.guests.length ?? 1;
          guestBudgets.take('sign', { pool: key.pool, link, address: request.ip }, guests);
          const result = await storeLateSigning(
            this,
            { place, body, text, receivedAt, signedAt },
            {
              address: request.ip,
              userAgent: userAgentOf(request),
              by: signingActorOf(request.caller),
              // What has arrived is stored even if the guest loses the connection.
              signal: new AbortController().signal,
            },
          );
          if (result.outcome !== 'kept')
            return reply
              .code(result.outcome === 'same' ? 200 : 201)
              .send(signingAnswer(this, result.signing));
          request.log.warn(
            { pool: key.pool, reason: result.reason },
            'a signing arrived late and needs attention: see late-signings of the pool',
          );
          return reply.code(202).send({ id: body.signing?.id ?? null, kept: true });
        }),
    });
  }
}
