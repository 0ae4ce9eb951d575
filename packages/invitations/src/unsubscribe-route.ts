import { timingSafeEqual } from 'node:crypto';
import { directionOf, type MailLanguage, mailLanguageOf } from '@waiver-service/alerts';
import {
  askToUnsubscribe,
  unsubscribe,
  type unsubscribeParamsSchema,
  type unsubscribeQuerySchema,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { countedAddress, createFailureThrottle, escapeHtml, sendCardPage } from '@waiver-service/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { InvitationStore } from './data/invitation-store.ts';
import { contentOf } from './settings.ts';
import { wordsOf } from './texts/languages.ts';

interface Services {
  readonly store: Pick<InvitationStore, 'checkInLinks' | 'invitations'>;
}

const proofOf = ({ store }: Services, pool: string, addressId: string): Promise<string> =>
  store.checkInLinks.proofOf(pool, JSON.stringify(['unsubscribe', addressId]));

/**
 * The URL at which a guest unsubscribes from a pool's messages. It contains the keyed hash of the e-mail address and a
 * proof that this service made it, so it works while the pool exists, and nothing needs to be stored for it.
 */
export async function unsubscribeUrl(
  services: Services,
  {
    pool,
    email,
    language,
    baseUrl,
  }: {
    readonly pool: string;
    readonly email: string;
    readonly language: MailLanguage;
    readonly baseUrl: string;
  },
): Promise<string> {
  const addressId = services.store.invitations.addressId(pool, email);
  const proof = await proofOf(services, pool, addressId);
  return `${baseUrl}/unsubscribe/${encodeURIComponent(pool)}/${addressId}.${proof}?language=${language}`;
}

/** The hash of a token's address; undefined if this service did not make the token for that pool. */
async function addressOfToken(services: Services, pool: string, token: string): Promise<string | undefined> {
  const [addressId = '', proof = ''] = token.split('.');
  const given = Buffer.from(proof);
  const right = Buffer.from(await proofOf(services, pool, addressId));
  return given.length === right.length && timingSafeEqual(given, right) ? addressId : undefined;
}

interface Page {
  readonly status: number;
  readonly language: MailLanguage;
  readonly sentence: string;
  /** The label of the button that unsubscribes. */
  readonly button?: string;
}

function sendPage(reply: FastifyReply, { status, language, sentence, button }: Page): FastifyReply {
  // Without an action the form is sent to the page's own address.
  const form =
    button === undefined ? '' : `<form method="post"><button>${escapeHtml(button)}</button></form>`;
  return sendCardPage(reply.header('x-robots-tag', 'noindex'), {
    status,
    language,
    direction: directionOf(language),
    title: wordsOf(language).page.title,
    body: `<p>${escapeHtml(sentence)}</p>${form}`,
    hasForm: button !== undefined,
  });
}

// Mail programs, or a hotel's guests, may share an address.
const wrongTokensPerMinute = 60;

/**
 * `/unsubscribe/{pool}/{token}`: a guest unsubscribes from a pool's messages. GET only asks, since mail scanners follow
 * links; POST unsubscribes, even as an automated request (RFC 8058).
 */
@injectable()
export class UnsubscribeRoute implements RouteModule {
  constructor(@inject(InvitationStore) readonly store: InvitationStore) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    const throttle = createFailureThrottle(wrongTokensPerMinute);

    /** The pool and the address of a link, and the sender's name. */
    const subjectOf = async ({
      params,
      ip,
    }: {
      params: z.output<typeof unsubscribeParamsSchema>;
      ip: string;
    }) => {
      const pool = await store.pools.get(params.pool);
      const id = pool && (await addressOfToken(this, pool.id, params.token));
      if (pool === undefined || id === undefined) {
        throttle.record({ caller: countedAddress(ip), key: params.token });
        return undefined;
      }
      const settings = await store.invitations.settings(pool.id);
      return { pool: pool.id, id, operator: contentOf(settings?.content).senderName ?? pool.name };
    };

    const languageOf = ({ language }: z.output<typeof unsubscribeQuerySchema>): MailLanguage =>
      mailLanguageOf(language) ?? 'en';

    const unknown = (reply: FastifyReply, language: MailLanguage) =>
      sendPage(reply, { status: 404, language, sentence: wordsOf(language).page.unknown });

    const addRoutes = (scope: HostApp) => {
      // The body of a one-click request adds nothing to its URL, whatever it is.
      scope.addHook('onRequest', async ({ raw: { headers } }) => {
        headers['content-type'] = 'application/octet-stream';
      });
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser(
        '*',
        { parseAs: 'buffer', bodyLimit: 4_096 },
        async (_request: FastifyRequest, _body: Buffer) => undefined,
      );

      scope.route({
        ...askToUnsubscribe,
        handler: async ({ params, query, ip }, reply) => {
          const language = languageOf(query);
          const subject = await subjectOf({ params, ip });
          if (subject === undefined) return unknown(reply, language);
          const { question, confirm } = wordsOf(language).page;
          const sentence = question.replace('{operator}', () => subject.operator);
          return sendPage(reply, { status: 200, language, sentence, button: confirm });
        },
      });

      scope.route({
        ...unsubscribe,
        handler: async ({ params, query, ip }, reply) => {
          const language = languageOf(query);
          const subject = await subjectOf({ params, ip });
          if (subject === undefined) return unknown(reply, language);
          const { pool, id, operator } = subject;
          const email = (await store.invitations.emailOf(pool, id)) ?? null;
          await store.invitations.addRefusal({ pool, id, email, reason: 'unsubscribed', reply: null });
          const sentence = wordsOf(language).page.done.replace('{operator}', () => operator);
          return sendPage(reply, { status: 200, language, sentence });
        },
      });
    };
    app.register(async (scope) => addRoutes(scope));
  }
}
