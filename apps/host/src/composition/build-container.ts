import 'reflect-metadata';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { Container } from 'inversify';
import { adminRoutesModule } from '../admin-routes/admin-routes-module.ts';
import { alertsModule } from '../alerts/alerts-module.ts';
import type { Faults } from '../alerts/fault-reporter.ts';
import { bookingReadingModule } from '../booking-reading/booking-reading-module.ts';
import { bookingSystemsModule, bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { createContainerResolver } from '../booking-systems/container-resolver.ts';
import { createCells } from '../cells/cells.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { integrationModule } from '../integration/integration-module.ts';
import { operationsModule } from '../operations/operations-module.ts';
import { sendingModule } from '../sending/sending-module.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { waiverRoutesModule } from '../waiver-routes/waiver-routes-module.ts';

/** Created before the container. */
export interface ContainerParts {
  readonly settings: HostSettings;
  readonly baseUrl: () => string;
  readonly store: Store;
  readonly plugins: readonly BookingSystemPlugin[];
  readonly log: FastifyBaseLogger;
  readonly faults: Faults;
  readonly tracing: Tracing;
}

/** The composition root: each feature of the host is a module that binds what it offers and declares what it needs. */
export function buildContainer(parts: ContainerParts): Container {
  const { settings, baseUrl, store, plugins, log, faults, tracing } = parts;
  const container = new Container({ defaultScope: 'Singleton' });
  container.bind(hostTokens.settings).toConstantValue(settings);
  container.bind(hostTokens.baseUrl).toConstantValue(baseUrl);
  container.bind(hostTokens.store).toConstantValue(store);
  container.bind(hostTokens.log).toConstantValue(log);
  container.bind(hostTokens.faults).toConstantValue(faults);
  container.bind(hostTokens.tracing).toConstantValue(tracing);
  container
    .bind(hostTokens.outbound)
    .toResolvedValue(
      ({ outboundAllow: allow, outboundTimeout: timeoutMs }) => createOutbound({ allow, timeoutMs }),
      [hostTokens.settings],
    );
  container
    .bind(hostTokens.cells)
    .toResolvedValue(
      (settings, store, outbound) => createCells({ settings, store, outbound }),
      [hostTokens.settings, hostTokens.store, hostTokens.outbound],
    );
  container.bind(bookingSystemTokens.resolver).toConstantValue(createContainerResolver(container));
  // Also the order of the routes in the OpenAPI document.
  container.load(
    operationsModule,
    bookingSystemsModule(plugins),
    alertsModule,
    sendingModule,
    integrationModule,
    bookingReadingModule,
    waiverRoutesModule,
    adminRoutesModule,
  );
  return container;
}
