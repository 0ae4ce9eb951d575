import type { ShownPage } from '@waiver-service/forms';
import { z } from 'zod';
import { dayIn } from '../booking-reading/booking-days.ts';
import { guestOf } from '../check-in/link-access.ts';
import { storedLinkedBooking } from '../check-in/link-booking.ts';
import { partOf } from '../documents/signing-document.ts';
import type { RouteModule } from '../http/host-app.ts';
import { answersToForm } from './earlier-answers.ts';
import { knownGuest, proofFields } from './known-guest.ts';
import {
  asksHealth,
  type NamedVisit,
  peopleOfLink,
  type ReturningPerson,
  returningPeople,
  visitOf,
} from './returning-people.ts';
import { reuseQuestions } from './reuse-questions.ts';
import { signAgain } from './sign-again-problem.ts';

const answersSchema = z.record(z.string(), z.unknown());

const personSchema = z.object({
  waiver: z.string().describe('The id of the waiver that they may confirm.'),
  signing: z.string().describe('What was signed together, and is confirmed together.'),
  name: z.string().nullable(),
  isMinor: z.boolean(),
  isSigner: z.boolean(),
  isGuestOfLink: z
    .boolean()
    .describe('On a link to one guest: whether the name tells that this is the guest.'),
  signedOn: z.iso.date().describe('In the time zone of the pool.'),
  validUntil: z.iso.date(),
  form: z.object({ name: z.string(), version: z.int() }),
  answers: answersSchema.describe('By the items of the form that is signed now; never health answers.'),
  signerAnswers: answersSchema.describe('To the questions that are asked once.'),
  questions: z.object({
    text: z.string(),
    guardianText: z.string().describe('Instead of `text`, if a minor is among those who come.'),
    health: z.string().nullable().describe('null: the form does not ask about health.'),
  }),
});

interface PersonAnswerParts {
  readonly isGuestOfLink: boolean;
  readonly language: string;
  readonly timeZone: string;
}

function personAnswer(
  { waiver, name, isMinor, form }: ReturningPerson,
  { form: current }: NamedVisit,
  { isGuestOfLink, language, timeZone }: PersonAnswerParts,
): z.input<typeof personSchema> {
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

const problems = {
  401: 'The link is unknown (`link_unknown`), was withdrawn (`link_revoked`) or has expired (`link_expired`).',
  403: 'The address is not proven, or was too long ago (`proof_ended`).',
  409: 'The booking was cancelled (`booking_cancelled`).',
  429: 'Too many requests, or too many wrong links, from this address. See Retry-After.',
};

const shownSchema = z.custom<readonly ShownPage[]>().meta({ type: 'array', items: { type: 'object' } });

/** The people who may confirm what they signed before, and what that was. */
export const returningPeopleRoutes: RouteModule = (app, services) => {
  const { store } = services;

  app.route({
    config: { access: 'check-in-link', problems },
    method: 'POST',
    url: '/check-in/api/returning/people',
    schema: {
      operationId: 'listReturningPeople',
      tags: ['Check-in'],
      summary: 'The people who may confirm what was signed for them before',
      description:
        'Those whom the proven address stands on; on a link to one guest that guest, if the booking has their address.',
      body: z.strictObject({ language: z.string().min(1).max(40), ...proofFields }),
      response: { 200: z.object({ people: z.array(personSchema) }) },
    },
    handler: async (request) => {
      const { link } = guestOf(request);
      const linked = await storedLinkedBooking(services, link);
      const guest = await knownGuest(services, link, linked, request.body);
      if (guest === undefined) return { people: [] };
      const visit = await visitOf(services, link, linked, new Date());
      const people = await returningPeople(services, link.pool, guest, visit);
      const { language } = request.body;
      const { timeZone } = link;
      const own = peopleOfLink(link, linked, people);
      return {
        people: people.map((person) =>
          personAnswer(person, visit, { isGuestOfLink: own.includes(person), language, timeZone }),
        ),
      };
    },
  });

  app.route({
    config: {
      access: 'check-in-link',
      problems: {
        ...problems,
        409: 'It must be signed again (`sign_again`), or the booking was cancelled (`booking_cancelled`).',
      },
    },
    method: 'POST',
    url: '/check-in/api/returning/text',
    schema: {
      operationId: 'readSignedText',
      tags: ['Check-in'],
      summary: 'The text that a returning guest signed before',
      description: 'As it was shown then, without answers.',
      body: z.strictObject({ waiver: z.string().max(256), ...proofFields }),
      response: { 200: z.object({ language: z.string(), pages: shownSchema }) },
    },
    handler: async (request) => {
      const { link } = guestOf(request);
      const linked = await storedLinkedBooking(services, link);
      const guest = await knownGuest(services, link, linked, request.body);
      const visit = await visitOf(services, link, linked, new Date());
      const people = guest === undefined ? [] : await returningPeople(services, link.pool, guest, visit);
      const found = people.find(({ waiver }) => waiver.id === request.body.waiver);
      if (found === undefined) throw signAgain();
      const { signing: id, leaf } = found.waiver;
      const core = partOf(await store.signings.record(link.pool, { id, leaf }), 'core');
      if (core === undefined) throw signAgain();
      return { language: core.language, pages: core.shown };
    },
  });
};
