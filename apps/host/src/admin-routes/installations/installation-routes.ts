import { accountIdSchema, installResponseSchema, partnerApiKeySchema } from '@waiver-service/core';
import { z } from 'zod';
import { personOf } from '../../authentication/caller.ts';
import { dateTimeSchema } from '../../http/date-time.ts';
import type { RouteModule } from '../../http/host-app.ts';
import { HttpProblem } from '../../http/http-problem.ts';
import { installAccount, uninstallAccount } from '../../integration/install-account.ts';
import { maxIntegrationBodyBytes } from '../../integration/install-key.ts';
import { answerNamesSchema } from '../../waiver-routes/answer-names.ts';
import { poolBookingSystemPathSchema, poolPathSchema, requirePool } from '../admin-paths.ts';
import { checkInstallationAddress, installationAddressFields } from './installation-address.ts';
import { installationAnswer, installationSchema } from './installation-answer.ts';

const changeSchema = z
  .strictObject({ shareProperties: answerNamesSchema.optional(), ...installationAddressFields })
  .refine((body) => Object.keys(body).length > 0, {
    path: ['shareProperties'],
    message: 'this, baseUrl or environment has to be given',
  });

const notInstalled = (installName: string) =>
  new HttpProblem(404, 'not_installed', `${installName} is not installed for this pool.`);

export const installationRoutes: RouteModule = (app, services) => {
  const { store, bookingSystems, authorizationVisits } = services;
  const url = '/v1/admin/pools/:pool/installations';

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
    config: { access: 'operator', problems: { 409: 'It is installed with another account.' } },
    method: 'PUT',
    url: `${url}/:booking_system`,
    bodyLimit: maxIntegrationBodyBytes,
    schema: {
      operationId: 'putInstallation',
      summary: 'Install a booking system for a pool by hand',
      description:
        'For vendors that do not install themselves; works for all. Besides baseUrl and environment, the body has accountId, apiKey and the fields of the plugin’s accountSchema. The apiKey in the response is the new app pool key, which is not shown again.',
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
      await checkInstallationAddress(services, bookingSystems.resolve(installName), address, caller);
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
    config: { access: 'operator' },
    method: 'PATCH',
    url: `${url}/:booking_system`,
    schema: {
      operationId: 'shareAnswers',
      summary: 'Set which answers may be sent to a booking system, and where it is',
      description: 'Omitted fields stay as they are.',
      params: poolBookingSystemPathSchema,
      body: changeSchema,
      response: { 200: installationSchema },
    },
    handler: async ({ params: { pool, booking_system }, body, caller }) => {
      const plugin = bookingSystems.resolve(booking_system);
      const { installName } = plugin;
      await requirePool(services, pool);
      const { shareProperties, ...address } = body;
      await checkInstallationAddress(services, plugin, address, caller);
      // Sets nothing if no part of it is given.
      let changed = await store.installations.setAddress(pool, installName, address);
      if (changed && shareProperties !== undefined) {
        changed = await store.installations.share(pool, installName, shareProperties, personOf(caller).actor);
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
        'Revokes its app pool keys, erases the account and cancels its waiting messages. The waivers stay.',
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
        'From now on bookings are read and Guest Updates are sent. Waivers signed before are sent with their next change. Returns 200 for an active installation, too.',
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
      summary: 'Begin to authorize an installation at its booking system',
      description:
        'For booking systems whose accounts are authorized in a browser. Open `url` there, log in and agree: the booking system sends the browser back to this service, which says whether it worked. The address is for one visit, and ends with the next one that is made for this installation.',
      params: poolBookingSystemPathSchema,
      response: { 200: z.object({ url: z.string(), expiresAt: dateTimeSchema }) },
    },
    handler: async ({ params: { pool, booking_system } }) => {
      const { installName } = bookingSystems.resolve(booking_system);
      await requirePool(services, pool);
      return authorizationVisits.begin(pool, installName);
    },
  });
};
