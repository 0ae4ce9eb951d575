import { Mailer, type MailLanguage } from '@waiver-service/alerts';
import {
  type invitationsSchema,
  previewInvitation,
  putInvitations,
  readInvitations,
} from '@waiver-service/api';
import type { HostApp, RouteModule } from '@waiver-service/http';
import { unknownPool } from '@waiver-service/http';
import { BaseUrl } from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { composeMail } from './compose-mail.ts';
import { InvitationStore } from './data/invitation-store.ts';
import { contentOf, type PoolTexts } from './settings.ts';
import { wordsOf } from './texts/languages.ts';

const maxUninvited = 20;
const hourMs = 3_600_000;

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
  { store, mailer }: { readonly store: InvitationStore; readonly mailer: Mailer | undefined },
  pool: string,
): Promise<z.input<typeof invitationsSchema>> {
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
  return {
    enabled: settings?.enabled === true,
    ...contentOf(settings?.content),
    defaultTexts,
    obstacles: found.filter((each) => each !== undefined),
    uninvited: [...uninvited],
    updatedAt: settings?.content == null ? null : settings.updatedAt,
  };
}

/** How a pool invites its guests, and how a message looks. */
@injectable()
export class InvitationSettingsRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(InvitationStore) readonly store: InvitationStore,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    async function poolOf(id: string) {
      const pool = await store.pools.get(id);
      if (pool === undefined) throw unknownPool(id);
      return pool;
    }

    app.route({
      ...readInvitations,
      handler: async ({ params: { pool } }) => {
        await poolOf(pool);
        return answerOf(this, pool);
      },
    });

    app.route({
      ...putInvitations,
      handler: async ({ params: { pool }, body: { enabled, ...given } }) => {
        await poolOf(pool);
        const former = await store.invitations.settings(pool);
        const content = JSON.stringify({ ...contentOf(former?.content), ...given });
        await store.invitations.putSettings(pool, {
          enabled: enabled ?? former?.enabled === true,
          content,
        });
        return answerOf(this, pool);
      },
    });

    app.route({
      ...previewInvitation,
      handler: async ({ params, body }) => {
        const pool = await poolOf(params.pool);
        const { language, senderName = null, group: isGroup = false } = body;
        const defaults = wordsOf(language);
        const baseUrl = this.baseUrl();
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
  }
}
