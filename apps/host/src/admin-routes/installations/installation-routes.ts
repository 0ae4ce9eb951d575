import { randomBytes } from 'node:crypto';
import { accountIdSchema, installResponseSchema, partnerApiKeySchema } from '@waiver-service/core';
import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import { authorizingBrowserOf, setAuthorizingBrowser } from '../../authentication/session-cookie.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem, malformed } from '../../http/http-problem.ts';
import { installAccount, uninstallAccount } from '../../integration/install-account.ts';
import { maxIntegrationBodyBytes } from '../../integration/install-key.ts';
import { answerNamesSchema } from '../../waiver-routes/answer-names.ts';
import { poolBookingSystemPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { requireConsent, sendCredentialsToSchema, usualAddressOf } from '../credentials-consent.ts';
import {
  checkInstallationAddress,
  installationAddressFields,
  type PoolPlugin,
} from './installation-address.ts';
import { installationAnswer, installationSchema } from './installation-answer.ts';

const changeSchema = z
  .strictObject({
    shareProperties: answerNamesSchema.optional(),
    shareDocument: z
      .boolean()
      .optional()
      .describe(
        'Whether to send the signed document, with signatures, photos and all answers except those on health, even answers that are not shared. Requires a booking system that takes files (`capabilities.takes`).',
      ),
    ...installationAddressFields,
    sendCredentialsTo: sendCredentialsToSchema,
  })
  .refine(({ sendCredentialsTo: _, ...change }) => Object.keys(change).length > 0, {
    path: ['shareProperties'],
    message: 'this, shareDocument, baseUrl or environment has to be given',
  });

const notInstalled = (installName: string) =>
  new HttpProblem(404, 'not_installed', `${installName} is not installed for this pool.`);

export const installationRoutes: RouteModule = (app, services) => {
  const { store, bookingSystems, authorizationVisits, baseUrl } = services;
  const url = '/v1/admin/pools/:pool/installations';

  /** @throws HttpProblem 409 `credentials_go_elsewhere` */
  async function requireConsentFor(
    { pool, plugin }: PoolPlugin,
    { baseUrl, sendCredentialsTo }: z.infer<typeof changeSchema>,
  ): Promise<void> {
    if (baseUrl === undefined) return;
    const installation = await store.installations.get(pool, plugin.installName);
    if (installation === undefined) return;
    const usual = usualAddressOf(plugin, await store.bookingSystems.get(plugin.installName));
    const from = installation.baseUrl ?? usual;
    const to = baseUrl ?? usual;
    // A vendor's own addresses come from the plugin, so no mistake can lead there.
    if (to !== undefined && URL.canParse(to)) requireConsent({ from, to, sendCredentialsTo, accounts: 1 });
  }

  app.route({
    config: { access: 'viewer' },
    method: 'GET',
    url,
    schema: {
      operationId: 'listInstallations',
      summary: 'List the booking systems that are installed for a pool',
      params: poolPathSchema,
      response: { 200: z.object({ items: z.array(installationSchema) }) },
    },
    handler: async ({ params }) => {
      await requirePool(services, params.pool);
      return { items: (await store.installations.list(params.pool)).map(installationAnswer) };
    },
  });

  app.route({
    config: {
      access: 'operator',
      problems: { 409: 'The booking system is already installed for this pool with another account.' },
    },
    method: 'PUT',
    url: `${url}/:booking_system`,
    bodyLimit: maxIntegrationBodyBytes,
    schema: {
      operationId: 'putInstallation',
      summary: 'Install a booking system for a pool',
      description:
        'Intended for booking systems that do not install themselves, but works for all. Besides `baseUrl` and `environment`, the body contains `accountId`, `apiKey` and the fields of the plugin’s `accountSchema`. The `apiKey` in the response is the new app pool key, which is not shown again.',
      params: poolBookingSystemPathSchema,
      body: z.looseObject({
        accountId: accountIdSchema,
        apiKey: partnerApiKeySchema,
        ...installationAddressFields,
      }),
      response: { 200: installResponseSchema.pick({ webhookUrl: true, apiKey: true }) },
    },
    handler: async ({ params: { pool, booking_system: installName }, body, caller }) => {
      const { baseUrl, environment, ...account } = body;
      const address = { baseUrl, environment };
      const plugin = bookingSystems.resolve(installName);
      await checkInstallationAddress(services, { pool, plugin }, address, caller);
      const { webhookUrl, apiKey } = await installAccount(services, {
        installName,
        pool,
        account,
        address,
        madeBy: 'operator',
        approvedBy: personOf(caller).actor,
      });
      return { webhookUrl, apiKey };
    },
  });

  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'Stored credentials would be sent to another server, and `sendCredentialsTo` does not allow it.',
      },
    },
    method: 'PATCH',
    url: `${url}/:booking_system`,
    schema: {
      operationId: 'shareAnswers',
      summary: 'Set which data may be sent to an installed booking system, and its address',
      description: 'Omitted fields stay unchanged.',
      params: poolBookingSystemPathSchema,
      body: changeSchema,
      response: { 200: installationSchema },
    },
    handler: async ({ params: { pool, booking_system }, body, caller }) => {
      const plugin = bookingSystems.resolve(booking_system);
      const { installName } = plugin;
      await requirePool(services, pool);
      const { shareProperties, shareDocument, sendCredentialsTo: _, ...address } = body;
      if (shareDocument === true && !plugin.capabilities.takes.includes('files')) {
        throw malformed([{ path: 'shareDocument', message: `${plugin.displayName} takes no documents` }]);
      }
      await checkInstallationAddress(services, { pool, plugin }, address, caller);
      await requireConsentFor({ pool, plugin }, body);
      // Changes nothing if neither `baseUrl` nor `environment` is given.
      let changed = await store.installations.setAddress(pool, installName, address);
      if (changed && (shareProperties !== undefined || shareDocument !== undefined)) {
        const allowedBy = personOf(caller).actor;
        const shared = { shareProperties, shareDocument, allowedBy };
        changed = await store.installations.share({ pool, bookingSystem: installName, ...shared });
      }
      if (changed) return installationAnswer(changed);
      throw notInstalled(installName);
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'DELETE',
    url: `${url}/:booking_system`,
    schema: {
      operationId: 'deleteInstallation',
      summary: 'Uninstall a booking system from a pool',
      description:
        'Revokes the app pool keys of the installation, erases its account and cancels its waiting messages. Waivers are kept.',
      params: poolBookingSystemPathSchema,
      response: { 200: z.object({ success: z.literal(true), message: z.string() }) },
    },
    handler: async ({ params: { pool, booking_system: installName } }) => {
      const { message } = await uninstallAccount(services, { installName, pool });
      return { success: true as const, message };
    },
  });

  app.route({
    config: { access: 'operator' },
    method: 'POST',
    url: `${url}/:booking_system/approve`,
    schema: {
      operationId: 'approveInstallation',
      summary: 'Approve a pending installation',
      description:
        'After approval, bookings are read and Guest Updates are sent. Waivers signed earlier are sent when they next change. Returns 200 without any change if the installation is already approved.',
      params: poolBookingSystemPathSchema,
      response: { 200: installationSchema },
    },
    handler: async ({ params: { pool, booking_system }, caller }) => {
      const { installName } = bookingSystems.resolve(booking_system);
      await requirePool(services, pool);
      const approved = await store.installations.approve(pool, installName, personOf(caller).actor);
      if (approved) return installationAnswer(approved);
      throw notInstalled(installName);
    },
  });

  app.route({
    config: {
      access: 'operator',
      problems: {
        409: 'The booking system needs no authorization, or is not configured; `code` says which.',
      },
    },
    method: 'POST',
    url: `${url}/:booking_system/authorize`,
    schema: {
      operationId: 'authorizeInstallation',
      summary: 'Start the authorization of an installation at its booking system',
      description:
        'For booking systems whose accounts are authorized in a browser. Send this request from that browser, as the console does: the response sets a cookie that is needed when the browser returns. Then open `url` in the same browser, log in and agree: the booking system redirects to this service, which reports the result. The URL works once, until `expiresAt`, and becomes invalid when another one is created for the installation.',
      params: poolBookingSystemPathSchema,
      response: { 200: z.object({ url: z.string(), expiresAt: dateTimeSchema }) },
    },
    handler: async (request, reply) => {
      const { pool, booking_system } = request.params;
      const { installName } = bookingSystems.resolve(booking_system);
      await requirePool(services, pool);
      // Reuses the browser's secret, so that several installations can be authorized side by side.
      const browser = authorizingBrowserOf(request, baseUrl()) ?? randomBytes(32).toString('base64url');
      const visit = await authorizationVisits.begin(pool, installName, browser);
      setAuthorizingBrowser(reply, baseUrl(), browser, visit.expiresAt.getTime() - Date.now());
      return visit;
    },
  });
};
