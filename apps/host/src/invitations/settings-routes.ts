import { z } from 'zod';
import { poolPathSchema } from '../admin-routes/admin-paths.ts';
import type { RouteServices } from '../container/route-services.ts';
import { dateTimeSchema } from '../http/date-time.ts';
import type { RouteModule } from '../http/host-app.ts';
import { unknownPool } from '../http/http-problem.ts';
import { composeMail } from './compose-mail.ts';
import {
  contentFields,
  contentOf,
  mailLanguageSchema,
  type PoolTexts,
  senderNameSchema,
  subjectSchema,
  textSchema,
} from './settings.ts';
import { type MailLanguage, wordsOf } from './texts/languages.ts';

const maxUninvited = 20;
const hourMs = 3_600_000;

/** Reasons why a pool's guests get no mail. */
const obstacles = ['no_mail_server', 'no_form', 'no_booking_system'] as const;

const storedTextSchema = z.object({ subject: z.string(), text: z.string() }).meta({ id: 'InvitationText' });

const answerSchema = z
  .object({
    enabled: z.boolean(),
    ...contentFields,
    // As stored: limits may have changed since.
    texts: z.partialRecord(mailLanguageSchema, storedTextSchema),
    defaultTexts: z.object({
      en: storedTextSchema,
      de: storedTextSchema,
      es: storedTextSchema,
      fr: storedTextSchema,
      cs: storedTextSchema,
      ar: storedTextSchema,
    }),
    obstacles: z
      .array(z.enum(obstacles))
      .describe(
        'Reasons why nothing is sent: no mail server is configured, no form is published, or no booking system is installed.',
      ),
    uninvited: z
      .array(
        z.object({
          bookingSystem: z.string(),
          bookingId: z.string(),
          day: z.string(),
          problem: z.string(),
        }),
      )
      .describe(
        'Upcoming bookings with guests who get no message, at most 20. `problem`: `no-form` for the activity, `no-address`, `unread` (could not be read), or `quiet-hours` until the visit.',
      ),
    updatedAt: dateTimeSchema.nullable().describe('When the settings were last changed; null if never.'),
  })
  .meta({ id: 'Invitations' });

const defaultText = (language: MailLanguage) => {
  const { subject, text } = wordsOf(language);
  return { subject, text };
};

const defaultTexts = {
  en: defaultText('en'),
  de: defaultText('de'),
  es: defaultText('es'),
  fr: defaultText('fr'),
  cs: defaultText('cs'),
  ar: defaultText('ar'),
} satisfies Record<MailLanguage, PoolTexts>;

async function answerOf(
  { store, mailer }: Pick<RouteServices, 'store' | 'mailer'>,
  pool: string,
): Promise<z.input<typeof answerSchema>> {
  const [settings, hasForm, setup, uninvited] = await Promise.all([
    store.invitations.settings(pool),
    store.forms.hasPublished(pool),
    store.pools.setup(pool),
    store.invitations.listUninvited(pool, maxUninvited),
  ]);
  const found = [
    mailer === undefined ? ('no_mail_server' as const) : undefined,
    hasForm ? undefined : ('no_form' as const),
    setup?.bookingSystems.length === 0 ? ('no_booking_system' as const) : undefined,
  ];
  const { texts, ...content } = contentOf(settings?.content);
  return {
    enabled: settings?.enabled === true,
    ...content,
    texts: { ...texts },
    defaultTexts,
    obstacles: found.filter((each) => each !== undefined),
    uninvited: [...uninvited],
    updatedAt: settings?.content == null ? null : settings.updatedAt,
  };
}

/** How a pool invites its guests, and how a message looks. */
export const invitationSettingsRoutes: RouteModule = (app, services) => {
  const { store } = services;
  const url = '/v1/admin/pools/:pool/invitations';

  async function poolOf(id: string) {
    const pool = await store.pools.get(id);
    if (pool === undefined) throw unknownPool(id);
    return pool;
  }

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'readInvitations',
      tags: ['Check-in'],
      summary: 'Read how a pool invites its guests by e-mail',
      params: poolPathSchema,
      response: { 200: answerSchema },
    },
    handler: async ({ params: { pool } }) => {
      await poolOf(pool);
      return answerOf(services, pool);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'PUT',
    url,
    schema: {
      operationId: 'putInvitations',
      tags: ['Check-in'],
      summary: 'Set how a pool invites its guests by e-mail',
      description:
        'Omitted fields stay as they are. Once enabled, messages that are already due for upcoming bookings are sent at once.',
      params: poolPathSchema,
      body: z.strictObject({ enabled: z.boolean(), ...contentFields }).partial(),
      response: { 200: answerSchema },
    },
    handler: async ({ params: { pool }, body: { enabled, ...given } }) => {
      await poolOf(pool);
      const former = await store.invitations.settings(pool);
      const content = JSON.stringify({ ...contentOf(former?.content), ...given });
      await store.invitations.putSettings(pool, {
        enabled: enabled ?? former?.enabled === true,
        content,
      });
      return answerOf(services, pool);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: `${url}/preview`,
    schema: {
      operationId: 'previewInvitation',
      tags: ['Check-in'],
      summary: 'Preview a message to a guest',
      description: 'Uses an invented guest and an invented booking one week from now. Sends nothing.',
      params: poolPathSchema,
      body: z.strictObject({
        language: mailLanguageSchema,
        subject: subjectSchema.optional(),
        text: textSchema.optional(),
        senderName: senderNameSchema.optional(),
        group: z
          .boolean()
          .optional()
          .describe('Whether the message is for the booker, with the link of the whole booking.'),
      }),
      response: { 200: z.object({ subject: z.string(), text: z.string(), html: z.string() }) },
    },
    handler: async ({ params, body }) => {
      const pool = await poolOf(params.pool);
      const { language, senderName = null, group: isGroup = false } = body;
      const defaults = wordsOf(language);
      const baseUrl = services.baseUrl();
      return composeMail({
        language,
        texts: { subject: body.subject ?? defaults.subject, text: body.text ?? defaults.text },
        name: 'Zoë Bäcker',
        activities: [language === 'en' ? 'Rafting' : defaults.noActivity],
        startsAt: new Date(Math.ceil(Date.now() / hourMs + 7 * 24) * hourMs),
        timeZone: pool.timeZone,
        operator: senderName ?? pool.name,
        link: `${baseUrl}/check-in/…`,
        isGroup,
        unsubscribeUrl: `${baseUrl}/unsubscribe/…`,
      });
    },
  });
};
