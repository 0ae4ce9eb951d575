import { randomUUID } from 'node:crypto';
import {
  type alertChangeSchema,
  alertEvents,
  type alertSchema,
  changeAlert,
  createAlert,
  deleteAlert,
  listAlerts,
  listSentAlerts,
  maxAlerts,
  maxAlertsPerPool,
  readAlert,
  testAlert,
} from '@waiver-service/api';
import {
  type Caller,
  type HostApp,
  HttpProblem,
  isAtLeast,
  malformed,
  pageOf,
  pageOrProblem,
  personOf,
  poolsToShow,
  type RouteModule,
  requireOwnPools,
} from '@waiver-service/http';
import {
  BaseUrl,
  changedOrProblem,
  checkAddress,
  Outbound,
  requirePoolsExist,
  sendTest,
  shownAuth,
  testMessage,
} from '@waiver-service/integration';
import { inject, injectable } from 'inversify';
import type { z } from 'zod';
import { createAlertSender } from './alert-sender.ts';
import { type Alert, AlertStore, TooManyAlerts } from './data/alerts.ts';
import { Mailer } from './mailer.ts';

async function requireOwnAndExisting(
  services: AlertRoutes,
  caller: Caller | null,
  pools: readonly string[] | null,
): Promise<void> {
  requireOwnPools(caller, pools ?? 'all');
  await requirePoolsExist(services, pools ?? []);
}

/** @throws HttpProblem 400 for a field that this kind of alert does not have */
function requireFieldsOf({ target }: Alert, change: z.infer<typeof alertChangeSchema>): void {
  const foreign = target.kind === 'email' ? (['url', 'auth', 'signing'] as const) : (['email'] as const);
  const errors = foreign
    .filter((name) => change[name] !== undefined)
    .map((path) => ({ path, message: 'an alert stays a webhook or a mail: make another one' }));
  if (errors.length > 0) throw malformed(errors);
}

/** @throws HttpProblem 409 `too_many_alerts` */
async function withinLimits<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof TooManyAlerts)) throw error;
    const { pool } = error;
    const message =
      pool === null
        ? `There are ${maxAlerts} alerts of all pools: remove one first.`
        : `There are ${maxAlertsPerPool} alerts of the pool ${JSON.stringify(pool)}: remove one first.`;
    throw new HttpProblem(409, 'too_many_alerts', message);
  }
}

/** @throws HttpProblem 400 that names the settings if this host sends no mail */
function requireMailer(mailer: Mailer | undefined): void {
  if (mailer !== undefined) return;
  const message = 'this host sends no mails: set SMTP_URL and ALERT_FROM, or give a url instead';
  throw malformed([{ path: 'email', message }]);
}

const testBody = (name: string, baseUrl: string) => ({
  type: 'test',
  at: new Date().toISOString(),
  message: `This is a test of the alert “${name}”: nothing is wrong.`,
  leftOut: 0,
  link: `${baseUrl}/console/alerts`,
});

@injectable()
export class AlertRoutes implements RouteModule {
  constructor(
    @inject(BaseUrl) readonly baseUrl: BaseUrl,
    @inject(AlertStore) readonly store: AlertStore,
    @inject(Outbound) readonly outbound: Outbound,
    @inject(Mailer) readonly mailer: Mailer | undefined,
  ) {}

  addRoutes(app: HostApp): void {
    const { store } = this;

    app.route({
      ...createAlert,
      handler: async ({ body, caller }, reply) => {
        await requireOwnAndExisting(this, caller, body.pools ?? null);
        if (body.url !== undefined) await checkAddress(this, 'url', body.url);
        else requireMailer(this.mailer);
        const { alert, signingSecret } = await withinLimits(
          store.alerts.create({ ...body, events: body.events ?? alertEvents, pools: body.pools ?? null }),
        );
        return reply.code(201).send({ ...alertAnswer(alert, caller), signingSecret });
      },
    });

    app.route({
      ...listAlerts,
      handler: async ({ query, caller }) => {
        return pageOf(store.alerts.list(query, poolsToShow(caller)), (alert) => alertAnswer(alert, caller));
      },
    });

    app.route({
      ...listSentAlerts,
      handler: async ({ query, caller }) => {
        return pageOrProblem(store.alerts.listSent(query, poolsToShow(caller)));
      },
    });

    app.route({
      ...readAlert,
      handler: async ({ params: { id }, caller }) => {
        const alert = await store.alerts.get(id);
        if (!alert) throw alertNotFound();
        return alertAnswer(alert, caller);
      },
    });

    app.route({
      ...changeAlert,
      handler: async ({ params: { id }, body, caller }) => {
        const former = await store.alerts.get(id);
        if (!former) throw alertNotFound();
        requireFieldsOf(former, body);
        if (body.pools !== undefined) await requireOwnAndExisting(this, caller, body.pools);
        if (body.url !== undefined) await checkAddress(this, 'url', body.url);
        if (body.email !== undefined) requireMailer(this.mailer);
        const changed = await withinLimits(changedOrProblem(store.alerts.update(id, body)));
        if (!changed) throw alertNotFound();
        const { alert, signingSecret } = changed;
        return { ...alertAnswer(alert, caller), signingSecret };
      },
    });

    app.route({
      ...deleteAlert,
      handler: async ({ params: { id } }, reply) => {
        if (await store.alerts.remove(id)) return reply.code(204).send(null);
        throw alertNotFound();
      },
    });

    app.route({
      ...testAlert,
      handler: async ({ params: { id }, signal }) => {
        const { outbound, mailer } = this;
        const alert = await store.alerts.get(id);
        if (!alert) throw alertNotFound();
        if (alert.target.kind === 'email') requireMailer(mailer);
        const send = createAlertSender({ outbound, mailer, alertOf: async () => alert });
        const body = testBody(alert.name, this.baseUrl());
        const { destinationId: destination } = alert;
        const message = testMessage({ id: randomUUID(), kind: 'alert', pool: '', destination, body });
        return sendTest(send, message, signal);
      },
    });
  }
}

/** A chat webhook's URL is its secret: viewers see only the origin. */
function shownUrl(url: string, caller: Caller | null): string {
  return isAtLeast(personOf(caller).role, 'operator') ? url : `${new URL(url).origin}/…`;
}

function targetAnswer({ target }: Alert, caller: Caller | null) {
  if (target.kind === 'email') return { email: target.email };
  const { url, auth, signingSecrets } = target;
  return { url: shownUrl(url, caller), auth: shownAuth(auth), signing: signingSecrets.length > 0 };
}

function alertAnswer(alert: Alert, caller: Caller | null): z.input<typeof alertSchema> {
  const { target: _, events, pools, destinationId: destination, ...rest } = alert;
  return {
    ...rest,
    ...targetAnswer(alert, caller),
    events: [...events],
    pools: pools && [...pools],
    destination,
  };
}

const alertNotFound = () => new HttpProblem(404, 'alert_not_found', 'There is no alert with this id.');
