import { installRequestSchema, installResponseSchema, uninstallResponseSchema } from '@waiver-service/core';
import type { Store } from '@waiver-service/store';
import { z } from 'zod';
import type { Cells } from '../cells/cells.ts';
import type { RouteModule } from '../http/host-app.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { poolMovingProblem } from '../http/pool-moving.ts';
import {
  type InstalledAccountAnswer,
  type InstallServices,
  installAccount,
  uninstallAccount,
} from './install-account.ts';
import {
  bookingSystemOfPath,
  type KeyThrottle,
  maxIntegrationBodyBytes,
  requireInstallKey,
} from './install-key.ts';

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

interface Services extends InstallServices {
  readonly store: Pick<Store, 'installKeys' | 'installations'>;
  readonly throttle: KeyThrottle;
  readonly cells: Pick<Cells, 'lookForKey' | 'lookForPool' | 'mayBeElsewhere'>;
}

/** Install and uninstall (contract 4.4, 4.5). */
export const installRoutes: RouteModule<Services> = (app, services) => {
  const { bookingSystems, throttle, cells } = services;

  /** Carries out a call for a pool that this cell has, or had a moment ago: then the call is sent on when it comes again. */
  async function inPool<Result>(pool: string, carryOut: () => Promise<Result>): Promise<Result> {
    try {
      return await carryOut();
    } catch (error) {
      const isUnknown = error instanceof HttpProblem && error.code === 'unknown_pool';
      throw isUnknown && (await cells.mayBeElsewhere(pool)) ? poolMovingProblem(error) : error;
    }
  }

  const guard = {
    config: { access: 'booking-system' },
    bodyLimit: maxIntegrationBodyBytes,
    onRequest: async (request: Parameters<typeof bookingSystemOfPath>[0]) => {
      bookingSystems.resolve(bookingSystemOfPath(request));
    },
    preValidation: requireInstallKey(services, throttle),
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
        'Stores the account and issues a new app pool key, which is not shown again (contract 4.4). Installing again with the same accountId replaces the key; the previous one stays valid for a while. If the pool already has another booking system, an operator may have to approve this one: the response is the same, but nothing is read or sent until then.',
      params: pathSchema,
      body: installRequestSchema,
      response: { 200: installResponseSchema },
    },
    handler: async (request) => {
      const { key: _installKey, pool, ...account } = request.body;
      const installName = request.params.booking_system;
      await cells.lookForPool(request, pool);
      const { outcome, pending, webhookUrl, apiKey } = await inPool(pool, () =>
        installAccount(services, { installName, pool, account, madeBy: 'booking-system' }),
      );
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
        'Revokes the app pool keys and erases the account; the waivers stay (contract 4.5). Returns 200 if it is not installed, too.',
      params: pathSchema,
      body: installRequestSchema,
      response: { 200: uninstallResponseSchema },
    },
    handler: async (request) => {
      const { pool, accountId } = request.body;
      await cells.lookForPool(request, pool);
      const { message } = await inPool(pool, () =>
        uninstallAccount(services, { installName: request.params.booking_system, pool, accountId }),
      );
      return { success: true as const, message };
    },
  });
};
