import { directionOf, mailLanguageOf } from '@waiver-service/alerts';
import { endCopy, mailAddressSchema, openCopy } from '@waiver-service/api';
import type { FormContent, Signing } from '@waiver-service/forms';
import {
  callerSignal,
  countedAddress,
  createFailureThrottle,
  escapeHtml,
  type HostApp,
  HttpProblem,
  type RouteModule,
  sendCardPage,
} from '@waiver-service/http';
import { missingWaiver } from '@waiver-service/integration';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inject, injectable } from 'inversify';
import type { CopyRecipient } from '../data/copies.ts';
import { SigningStore } from '../data/signing-store.ts';
import { GuestBudgets } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import type { SigningSettings } from '../signing-settings.ts';
import { notSignedHere, sendDocument } from './evidence-route.ts';
import { documentWords } from './texts/languages.ts';

/** Whom to send the link to the copy of a signing: nobody without a mail server, or without an address. */
export function copyRecipient(
  { settings }: { readonly settings: SigningSettings },
  email: unknown,
  language: string,
): CopyRecipient | undefined {
  if (settings.mail === undefined) return undefined;
  const address = mailAddressSchema.safeParse(typeof email === 'string' ? email.trim() : email);
  return address.success ? { email: address.data, language } : undefined;
}

/**
 * The address that the signer gave. One that was asked of each guest is the signer's only if the signer takes part: the
 * first guest's.
 */
export function signerEmail(
  { pages }: Pick<FormContent, 'pages'>,
  { signer }: Pick<Signing, 'signer'>,
  [first]: readonly { readonly answers?: Readonly<Record<string, unknown>> }[],
): unknown {
  const isOfSigner = pages
    .flatMap(({ items }) => items)
    .some((item) => item.type === 'ask' && item.property === 'email' && item.per === 'signer');
  return isOfSigner || signer.takesPart ? first?.answers?.email : undefined;
}

// Guests behind one address, such as a hotel's.
const wrongTokensPerMinute = 60;

interface Refusal {
  readonly status: 404 | 410;
  readonly code: string;
  readonly word: 'copyUnknown' | 'copyEnded';
  /** BCP 47. */
  readonly language: string;
  readonly operator?: string;
}

/** A page for browsers, and a problem for programs. */
function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { status, code, word, operator = '' } = refusal;
  const isForPerson = request.headers.accept?.includes('text/html') === true;
  const language = (isForPerson ? mailLanguageOf(refusal.language) : undefined) ?? 'en';
  const words = documentWords(language);
  const sentence = words[word].replaceAll('{operator}', () => operator);
  if (!isForPerson) throw new HttpProblem(status, code, sentence);
  request.problemCode = code;
  return sendCardPage(reply, {
    ...{ status, language, direction: directionOf(language) },
    title: words.copyTitle,
    body: `<p>${escapeHtml(sentence)}</p>`,
  });
}

@injectable()
export class CopyRoutes implements RouteModule {
  constructor(
    @inject(SigningStore) private readonly store: SigningStore,
    @inject(GuestBudgets) private readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) private readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    this.addOpening(app);
    this.addEnding(app);
  }

  /** `GET /copies/{token}`: what was signed, for whoever has the link. */
  private addOpening(app: HostApp): void {
    const { signings, pools } = this.store;
    const throttle = createFailureThrottle(wrongTokensPerMinute);
    app.route({
      ...openCopy,
      handler: async (request, reply) => {
        const { token } = request.params;
        reply.header('x-robots-tag', 'noindex, nofollow').header('vary', 'accept');
        const copy = token.startsWith('wsd_') ? await signings.copies.find(token) : undefined;
        if (copy === undefined) {
          throttle.record({ caller: countedAddress(request.ip), key: token });
          const [language = ''] = (request.headers['accept-language'] ?? '').split(/[,;]/);
          return refuse(request, reply, {
            status: 404,
            code: 'copy_not_found',
            word: 'copyUnknown',
            language,
          });
        }
        const source = { pool: copy.pool, link: token, address: request.ip };
        this.guestBudgets.take('copy', source);
        return this.guestTurns.run(source, callerSignal(reply), async () => {
          const evidence = await signings.copies.open(copy);
          if (evidence !== undefined) return sendDocument(request, reply, evidence, { isGuestCopy: true });
          const operator = (await pools.get(copy.pool))?.name ?? copy.pool;
          const { language } = copy;
          return refuse(request, reply, {
            status: 410,
            code: 'copy_ended',
            word: 'copyEnded',
            language,
            operator,
          });
        });
      },
    });
  }

  /** `DELETE /v1/pools/{pool}/waivers/{id}/copy`: the guest's link no longer works. */
  private addEnding(app: HostApp): void {
    const { signings, waivers } = this.store;
    app.route({
      ...endCopy,
      handler: async ({ params: { pool, id } }, reply) => {
        if (await signings.copies.end(pool, id)) return reply.code(204).send(null);
        throw (await waivers.get(pool, id))
          ? notSignedHere()
          : await missingWaiver({ store: this.store }, pool, id);
      },
    });
  }
}
