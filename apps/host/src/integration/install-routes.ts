import { installRequestSchema, installResponseSchema, uninstallResponseSchema } from '@waiver-service/core';
import { z } from 'zod';
import type { RouteModule } from '../http/host-app.ts';
import { type InstalledAccountAnswer, installAccount, uninstallAccount } from './install-account.ts';
import { bookingSystemOfPath, maxIntegrationBodyBytes, requireInstallKey } from './install-key.ts';

const pathSchema = z.object({
  booking_system: z.string().describe('The install name of the booking system.'),
});

function installMessage(
  installName: string,
  outcome: InstalledAccountAnswer['outcome'],
  pending: boolean,
): string {
  const done =
    outcome === 'installed'
      ? `${installName} is installed for this pool.`
      : `${installName} is installed again for this pool; the former app pool key ends soon.`;
  return pending ? `${done} It begins to work when the operator has approved it.` : done;
}

/** Install and uninstall (contract 4.4, 4.5). */
export const installRoutes: RouteModule = (app, services) => {
  const { bookingSystems, keyThrottle } = services;

  const guard = {
    config: { access: 'booking-system' },
    bodyLimit: maxIntegrationBodyBytes,
    onRequest: async (request: Parameters<typeof bookingSystemOfPath>[0]) => {
      bookingSystems.resolve(bookingSystemOfPath(request));
    },
    preValidation: requireInstallKey(services, keyThrottle),
  } as const;

  app.route({
    ...guard,
    method: 'POST',
    url: '/integration/install/:booking_system',
    schema: {
      operationId: 'install',
      tags: ['Booking systems'],
      summary: 'Install the integration for a pool',
      description:
        'Stores the account and issues a new app pool key, which is not shown again (contract 4.4). Installing again with the same accountId replaces the key; the previous key stays valid for a while. If the pool already has another booking system, an operator may have to approve this one: the response is the same, but nothing is read or sent until then.',
      params: pathSchema,
      body: installRequestSchema,
      response: { 200: installResponseSchema },
    },
    handler: async (request) => {
      const { key: _installKey, pool, ...account } = request.body;
      const installName = request.params.booking_system;
      const { outcome, pending, webhookUrl, apiKey } = await installAccount(services, {
        installName,
        pool,
        account,
        madeBy: 'booking-system',
      });
      if (pending) {
        request.log.info({ pool, bookingSystem: installName }, 'an installation waits for approval');
      }
      const message = installMessage(installName, outcome, pending);
      return { success: true as const, message, webhookUrl, apiKey };
    },
  });

  app.route({
    ...guard,
    method: 'POST',
    url: '/integration/uninstall/:booking_system',
    schema: {
      operationId: 'uninstall',
      tags: ['Booking systems'],
      summary: 'Remove the integration from a pool',
      description:
        'Revokes the app pool keys and erases the account; the waivers stay (contract 4.5). Also returns 200 if the integration is not installed.',
      params: pathSchema,
      body: installRequestSchema,
      response: { 200: uninstallResponseSchema },
    },
    handler: async (request) => {
      const { pool, accountId } = request.body;
      const { message } = await uninstallAccount(services, {
        installName: request.params.booking_system,
        pool,
        accountId,
      });
      return { success: true as const, message };
    },
  });
};
