import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { mailFailure } from '../alerts/mail-sender.ts';
import { countedAddress } from '../authentication/failure-throttle.ts';
import { guestSourceOf, poolBusyProblem } from '../check-in/guest-budgets.ts';
import { guestOf } from '../check-in/link-access.ts';
import { storedLinkedBooking } from '../check-in/link-booking.ts';
import { signingShare } from '../check-in/signing-route.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { createPoolShare } from '../waiver-routes/pool-share.ts';
import { codeMail } from './code-mail.ts';
import { emailSchema } from './known-guest.ts';
import { returningPeople, visitOf } from './returning-people.ts';

/** The maximum number of codes: per e-mail address within 15 minutes, and per link within an hour. */
const limits = { ofEmail: 3, ofLink: 30 };
// A busload of guests may use the desk's tablet.
const deskLimits = { ...limits, ofLink: 120 };
/** Per IP address, within 15 minutes. */
const maxCodesOfAddress = 30;

const tooMany = () =>
  new HttpProblem(
    429,
    'too_many_codes',
    'Too many codes were asked for. Try again later, or sign once more.',
    {
      headers: { 'retry-after': '900' },
    },
  );

const noMail = () =>
  new HttpProblem(
    409,
    'no_mail',
    'This service sends no mails, so that no guest can be recognized by a code.',
  );

const wrongCode = () => new HttpProblem(403, 'code_wrong', 'This code is not right. Look at the mail again.');
const endedCode = () =>
  new HttpProblem(
    403,
    'code_ended',
    'This code has been used, is too old, or was wrong too often: ask for another one.',
  );

const linkProblems = {
  401: 'The link is unknown (`link_unknown`), was revoked (`link_revoked`) or has expired (`link_expired`).',
};

/** Codes by which returning guests prove that an address is theirs. */
export const returningCodeRoutes: RouteModule = (app, services) => {
  const { store, mailer } = services;
  const ofAddress = createRateLimit({ max: maxCodesOfAddress, windowMs: 15 * 60_000 });
  const stopping = new AbortController();
  app.addHook('preClose', async () => stopping.abort());

  /** Mails a code if the address is known. The response does not wait, so as not to reveal whether it is. */
  async function mailIfKnown(
    link: ReturnType<typeof guestOf>['link'],
    { id, code, email, language }: { id: string; code: string; email: string; language: string },
    log: FastifyBaseLogger,
  ): Promise<void> {
    try {
      const linked = await storedLinkedBooking({ store }, link);
      const visit = await visitOf(services, link, linked, new Date());
      const people = await returningPeople(services, link.pool, { email, proof: 'code' }, visit);
      if (people.length === 0) return;
      const mail = codeMail(code, { poolName: link.poolName, language });
      await mailer?.send({ id, to: email, ...mail }, stopping.signal).catch((error: Error) => {
        if (stopping.signal.aborted) return;
        // Not the error itself: a mail server's reply repeats the address.
        const { errorCode, status } = mailFailure(error);
        log.warn({ errorCode, status, pool: link.pool }, 'a code was not mailed');
      });
    } catch (error) {
      log.warn({ err: error, pool: link.pool }, 'a code was not mailed');
    }
  }

  const share = createPoolShare({ ...signingShare(services), sourceOf: guestSourceOf });
  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        ...linkProblems,
        409: 'The host has no mail server (`no_mail`).',
        429: `Too many codes were requested for the e-mail address, with the link, or from the IP address (\`too_many_codes\`). ${poolBusyProblem}`,
      },
    },
    method: 'POST',
    url: '/check-in/api/returning/codes',
    schema: {
      operationId: 'askForCode',
      tags: ['Check-in'],
      summary: 'Request a code by e-mail, to confirm what was signed before',
      description:
        'Mails a six-digit code, which works for ten minutes, if anything valid was signed with the address. The response is the same whether or not the address is known.',
      body: z.strictObject({ email: emailSchema, language: z.string().min(1).max(40) }),
      response: {
        202: z.object({ id: z.string() }).describe('The `id` identifies the code in `exchangeCode`.'),
      },
    },
    onRequest: async (request) => services.guestBudgets.take('recognize', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request, reply) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const { email, language } = request.body;
        if (mailer === undefined) throw noMail();
        const address = countedAddress(request.ip);
        if (ofAddress.waitMs(address, 1) > 0) throw tooMany();
        ofAddress.take(address, 1);
        const guest = { pool: link.pool, link: link.id, email };
        const made = await store.returningCodes.create(guest, link.bookingId === null ? deskLimits : limits);
        if (made === undefined) throw tooMany();
        void mailIfKnown(link, { ...made, email, language }, request.log);
        return reply.code(202).send({ id: made.id });
      }),
  });

  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        ...linkProblems,
        403: 'The code is wrong (`code_wrong`); or it has expired, was already used, or was wrong five times (`code_ended`).',
        429: poolBusyProblem,
      },
    },
    method: 'POST',
    url: '/check-in/api/returning/proofs',
    schema: {
      operationId: 'exchangeCode',
      tags: ['Check-in'],
      summary: 'Exchange a mailed code for a proof of the e-mail address',
      body: z.strictObject({
        id: z.uuid().describe('The `id` that `askForCode` returned.'),
        email: emailSchema,
        code: z.string().regex(/^\d{6}$/, 'has six digits'),
      }),
      response: { 201: z.object({ proof: z.string(), expiresAt: dateTimeSchema }) },
    },
    onRequest: async (request) => services.guestBudgets.take('recognize', guestSourceOf(request)),
    preParsing: share.take,
    handler: (request, reply) =>
      share.handle(request, async () => {
        const { link } = guestOf(request);
        const { id, email, code } = request.body;
        const result = await store.returningCodes.exchange(
          { pool: link.pool, link: link.id, email },
          { id, code },
        );
        if (result === 'wrong') throw wrongCode();
        if (result === 'ended') throw endedCode();
        return reply.code(201).send(result);
      }),
  });
};
