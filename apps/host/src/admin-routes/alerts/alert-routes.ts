import { idPathSchema, noContentSchema, pageQuerySchema, pageSchema } from '@waiver-service/api';
import {
  type Alert,
  type AlertSettings,
  alertEvents,
  maxAlerts,
  maxAlertsPerPool,
  TooManyAlerts,
} from '@waiver-service/store';
import type { z } from 'zod';
import type { Caller } from '../../authentication/caller.ts';
import { poolsToShow, requireOwnPools } from '../../authentication/pool-access.ts';
import type { RouteServices } from '../../container/route-services.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { pageOf } from '../../http/pages.ts';
import { checkAddress } from '../checked-address.ts';
import { requirePoolsExist } from '../pools-exist.ts';
import { changedOrProblem } from '../webhooks/webhook-auth.ts';
import {
  alertAnswer,
  alertNotFound,
  alertSchema,
  alertWithSecretSchema,
  sentAlertAnswer,
  sentAlertSchema,
} from './alert-answer.ts';
import { alertChangeSchema, newAlertSchema, requireMailer } from './alert-body.ts';

async function requireOwnAndExisting(
  services: RouteServices,
  caller: Caller | null,
  pools: readonly string[] | null,
): Promise<void> {
  requireOwnPools(caller, pools ?? 'all');
  await requirePoolsExist(services, pools ?? []);
}

type NewAlert = z.infer<typeof newAlertSchema>;

function settingsOf({ name, events, pools, url, auth, signing, email }: NewAlert): AlertSettings {
  const common = { name, events: events ?? alertEvents, pools: pools ?? null };
  if (email !== undefined) return { ...common, email };
  // The schema guarantees one of them.
  if (url === undefined || auth === undefined) throw new Error('an alert has neither a url nor an email');
  return { ...common, url, auth, signing: signing ?? false };
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

const url = '/v1/admin/alerts';

const problems = {
  409: `There are ${maxAlerts} alerts of all pools, or ${maxAlertsPerPool} of one of these pools (\`too_many_alerts\`).`,
};

export const alertRoutes: RouteModule = (app, services) => {
  const { store } = services;

  app.route({
    config: { access: 'operator', poolCheck: 'by-handler', problems },
    method: 'POST',
    url,
    schema: {
      operationId: 'createAlert',
      summary: 'Create an alert that reports problems and recoveries by webhook or email',
      description:
        'The same event of a destination is reported at most once in 15 minutes, with the number of repeats. A caller limited to some pools must specify `pools`.',
      body: newAlertSchema,
      response: { 201: alertWithSecretSchema },
    },
    handler: async ({ body, caller }, reply) => {
      await requireOwnAndExisting(services, caller, body.pools ?? null);
      if (body.url !== undefined) await checkAddress(services, 'url', body.url);
      else requireMailer(services.mailer);
      const { alert, signingSecret } = await withinLimits(store.alerts.create(settingsOf(body)));
      return reply
        .code(201)
        .send({ ...alertAnswer(alert, caller), ...(signingSecret ? { signingSecret } : {}) });
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listAlerts',
      summary: 'List the alerts',
      description: 'A caller limited to some pools sees only the alerts that are limited to those pools.',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(alertSchema) },
    },
    handler: async ({ query, caller }) => {
      return pageOf(store.alerts.list(query, poolsToShow(caller)), (alert) => alertAnswer(alert, caller));
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'by-handler' },
    method: 'GET',
    url: '/v1/admin/sent-alerts',
    schema: {
      operationId: 'listSentAlerts',
      summary: 'List the alerts sent in the last 90 days, newest first',
      querystring: pageQuerySchema,
      response: { 200: pageSchema(sentAlertSchema) },
    },
    handler: async ({ query, caller }) => {
      return pageOf(store.alerts.listSent(query, poolsToShow(caller)), sentAlertAnswer);
    },
  });

  app.route({
    config: { access: 'viewer', poolCheck: 'alert' },
    method: 'GET',
    url: `${url}/:id`,
    schema: {
      operationId: 'readAlert',
      summary: 'Read an alert',
      params: idPathSchema,
      response: { 200: alertSchema },
    },
    handler: async ({ params: { id }, caller }) => {
      const alert = await store.alerts.get(id);
      if (!alert) throw alertNotFound();
      return alertAnswer(alert, caller);
    },
  });

  app.route({
    config: { access: 'operator', poolCheck: 'alert', problems },
    method: 'PATCH',
    url: `${url}/:id`,
    schema: {
      operationId: 'changeAlert',
      summary: 'Change an alert',
      description:
        'Omitted fields stay unchanged, but if credentials are stored, a different `url` requires `auth` again. If the alert was paused because its receiver kept failing, sending is tried again immediately.',
      params: idPathSchema,
      body: alertChangeSchema,
      response: { 200: alertWithSecretSchema },
    },
    handler: async ({ params: { id }, body, caller }) => {
      const former = await store.alerts.get(id);
      if (!former) throw alertNotFound();
      requireFieldsOf(former, body);
      if (body.pools !== undefined) await requireOwnAndExisting(services, caller, body.pools);
      if (body.url !== undefined) await checkAddress(services, 'url', body.url);
      if (body.email !== undefined) requireMailer(services.mailer);
      const changed = await withinLimits(changedOrProblem(store.alerts.update(id, body)));
      if (!changed) throw alertNotFound();
      const { alert, signingSecret } = changed;
      return { ...alertAnswer(alert, caller), ...(signingSecret ? { signingSecret } : {}) };
    },
  });

  app.route({
    config: { access: 'operator', poolCheck: 'alert' },
    method: 'DELETE',
    url: `${url}/:id`,
    schema: {
      operationId: 'deleteAlert',
      summary: 'Remove an alert and cancel its waiting messages',
      params: idPathSchema,
      response: { 204: noContentSchema },
    },
    handler: async ({ params: { id } }, reply) => {
      if (await store.alerts.remove(id)) return reply.code(204).send(null);
      throw alertNotFound();
    },
  });
};
