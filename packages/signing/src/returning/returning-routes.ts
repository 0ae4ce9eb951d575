import { Mailer, mailFailure } from '@waiver-service/alerts';
import {
  askForCode,
  exchangeCode,
  listReturningPeople,
  readSignedText,
  type returningPersonSchema,
} from '@waiver-service/api';
import {
  countedAddress,
  createPoolShare,
  createRateLimit,
  type HostApp,
  HttpProblem,
  type RouteModule,
} from '@waiver-service/http';
import { dayIn } from '@waiver-service/integration';
import type { FastifyBaseLogger } from 'fastify';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { codeMinutes } from '../data/returning-codes.ts';
import { SigningStore } from '../data/signing-store.ts';
import { partOf } from '../documents/signing-document.ts';
import { GuestBudgets, guestSourceOf } from '../links/guest-budgets.ts';
import { GuestTurns } from '../links/guest-turns.ts';
import { guestOf } from '../links/link-access.ts';
import { storedLinkedBooking } from '../links/link-booking.ts';
import { signingShare } from '../signings/signing-route.ts';
import {
  asksHealth,
  knownGuest,
  type NamedVisit,
  peopleOfLink,
  type ReturningPerson,
  returningPeople,
  visitOf,
} from './returning-people.ts';
import { reuseQuestions, textLanguage } from './reuse-questions.ts';
import { answersToForm, signAgain } from './sign-again.ts';

interface CodeMailTexts {
  subject(code: string): string;
  text(code: string, poolName: string, minutes: number): string;
}

const mails = {
  en: {
    subject: (code) => `${code} is your code`,
    text: (code, pool, minutes) =>
      `Your code for ${pool}: ${code}\n\nEnter it on the page on which you asked for it. It works for ${minutes} minutes, once.\n\nYou did not ask for it? Then you need not do anything, and please give the code to nobody.`,
  },
  de: {
    subject: (code) => `${code} ist Ihr Code`,
    text: (code, pool, minutes) =>
      `Ihr Code für ${pool}: ${code}\n\nGeben Sie ihn auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur einmal.\n\nSie haben keinen Code angefordert? Dann müssen Sie nichts tun; geben Sie ihn bitte niemandem.`,
  },
  es: {
    subject: (code) => `${code} es su código`,
    text: (code, pool, minutes) =>
      `Su código para ${pool}: ${code}\n\nEscríbalo en la página en la que lo ha pedido. Vale durante ${minutes} minutos y una sola vez.\n\n¿No lo ha pedido? Entonces no tiene que hacer nada; no dé el código a nadie.`,
  },
  fr: {
    subject: (code) => `${code} est votre code`,
    text: (code, pool, minutes) =>
      `Votre code pour ${pool} : ${code}\n\nSaisissez-le sur la page où vous l’avez demandé. Il est valable ${minutes} minutes, une seule fois.\n\nVous ne l’avez pas demandé ? Vous n’avez rien à faire ; ne donnez ce code à personne.`,
  },
  cs: {
    subject: (code) => `${code} je váš kód`,
    text: (code, pool, minutes) =>
      `Váš kód pro ${pool}: ${code}\n\nZadejte ho na stránce, na které jste o něj požádali. Platí ${minutes} minut a jen jednou.\n\nNežádali jste o něj? Pak nemusíte nic dělat; kód prosím nikomu nedávejte.`,
  },
  ar: {
    subject: (code) => `${code} هو رمزك`,
    text: (code, pool, minutes) =>
      `رمزك لدى ${pool}: ‎${code}\n\nأدخله في الصفحة التي طلبته فيها. يصلح لمدة ${minutes} دقائق ولمرة واحدة.\n\nلم تطلبه؟ إذن لا حاجة إلى فعل أي شيء، ولا تعطِ الرمز لأحد.`,
  },
} as const satisfies Record<string, CodeMailTexts>;

/** The mail with a code, in the language of the page. */
export function codeMail(
  code: string,
  { poolName, language }: { readonly poolName: string; readonly language: string },
): { readonly subject: string; readonly text: string } {
  const texts = mails[textLanguage(language)];
  return { subject: texts.subject(code), text: texts.text(code, poolName, codeMinutes) };
}

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

/** Codes by which returning guests prove that an address is theirs. */
@injectable()
export class ReturningCodeRoutes implements RouteModule {
  constructor(
    @inject(SigningStore) readonly store: SigningStore,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store, mailer } = this;
    const ofAddress = createRateLimit({ max: maxCodesOfAddress, windowMs: 15 * 60_000 });
    const stopping = new AbortController();
    app.addHook('preClose', async () => stopping.abort());

    /** Mails a code if the address is known. The response does not wait, so as not to reveal whether it is. */
    const mailIfKnown = async (
      link: ReturnType<typeof guestOf>['link'],
      { id, code, email, language }: { id: string; code: string; email: string; language: string },
      log: FastifyBaseLogger,
    ): Promise<void> => {
      try {
        const linked = await storedLinkedBooking({ store }, link);
        const visit = await visitOf(this, link, linked, new Date());
        const people = await returningPeople(this, link.pool, { email, proof: 'code' }, visit);
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
    };

    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });
    app.route({
      ...askForCode,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
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
          const made = await store.returningCodes.create(
            guest,
            link.bookingId === null ? deskLimits : limits,
          );
          if (made === undefined) throw tooMany();
          void mailIfKnown(link, { ...made, email, language }, request.log);
          return reply.code(202).send({ id: made.id });
        }),
    });

    app.route({
      ...exchangeCode,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
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
  }
}

interface PersonAnswerParts {
  readonly isGuestOfLink: boolean;
  readonly language: string;
  readonly timeZone: string;
}

function personAnswer(
  { waiver, name, isMinor, form }: ReturningPerson,
  { form: current }: NamedVisit,
  { isGuestOfLink, language, timeZone }: PersonAnswerParts,
): z.input<typeof returningPersonSchema> {
  const content = current?.content ?? form.content;
  const { id, signing, isSigner, receivedAt: signedAt, validUntil, answers } = waiver;
  return {
    ...{ waiver: id, signing, name: name ?? null, isMinor, isSigner, isGuestOfLink, validUntil },
    signedOn: dayIn(timeZone, signedAt),
    form: { name: form.name, version: form.version },
    answers: { ...answersToForm(content, answers, 'guest') },
    signerAnswers: { ...answersToForm(content, answers, 'signer') },
    questions: reuseQuestions({ language, timeZone, signedAt, asksHealth: asksHealth(form.content) }),
  };
}

/** The people who may confirm what they signed before, and what that was. */
@injectable()
export class ReturningPeopleRoutes implements RouteModule {
  constructor(
    @inject(SigningStore) readonly store: SigningStore,
    @inject(GuestBudgets) readonly guestBudgets: GuestBudgets,
    @inject(GuestTurns) readonly guestTurns: GuestTurns,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;
    const share = createPoolShare({ ...signingShare(this), sourceOf: guestSourceOf });

    app.route({
      ...listReturningPeople,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const linked = await storedLinkedBooking(this, link);
          const guest = await knownGuest(this, link, linked, request.body);
          if (guest === undefined) return { people: [] };
          const visit = await visitOf(this, link, linked, new Date());
          const people = await returningPeople(this, link.pool, guest, visit);
          const { language } = request.body;
          const { timeZone } = link;
          const own = peopleOfLink(link, linked, people);
          return {
            people: people.map((person) =>
              personAnswer(person, visit, { isGuestOfLink: own.includes(person), language, timeZone }),
            ),
          };
        }),
    });

    app.route({
      ...readSignedText,
      onRequest: async (request) => this.guestBudgets.take('recognize', guestSourceOf(request)),
      preParsing: share.take,
      handler: (request) =>
        share.handle(request, async () => {
          const { link } = guestOf(request);
          const linked = await storedLinkedBooking(this, link);
          const guest = await knownGuest(this, link, linked, request.body);
          const visit = await visitOf(this, link, linked, new Date());
          const people = guest === undefined ? [] : await returningPeople(this, link.pool, guest, visit);
          const found = people.find(({ waiver }) => waiver.id === request.body.waiver);
          if (found === undefined) throw signAgain();
          const { signing: id, leaf } = found.waiver;
          const core = partOf(await store.signings.record(link.pool, { id, leaf }), 'core');
          if (core === undefined) throw signAgain();
          return { language: core.language, pages: core.shown };
        }),
    });
  }
}
