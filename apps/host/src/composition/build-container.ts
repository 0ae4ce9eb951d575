import 'reflect-metadata';
import type { BookingSystemPlugin } from '@waiver-service/core';
import { createOutbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { FastifyBaseLogger } from 'fastify';
import { Container } from 'inversify';
import { createBookingReader } from '../booking-reading/index.ts';
import { createBookingSystemConnector } from '../booking-systems/connect-booking-system.ts';
import type { HostSettings } from '../settings/host-settings.ts';
import { createContainerResolver, manifestOf } from './container-resolver.ts';
import { tokens } from './tokens.ts';

/** What exists before there is a container. */
export interface ContainerParts {
  readonly settings: HostSettings;
  readonly baseUrl: () => string;
  readonly store: Store;
  readonly plugins: readonly BookingSystemPlugin[];
  readonly log: FastifyBaseLogger;
}

/** Binds plugins twice: named, for use, and their manifests unnamed, for listing. */
export function bindPlugins(container: Container, plugins: readonly BookingSystemPlugin[]): void {
  for (const plugin of plugins) {
    // The manifest is bound unnamed as well: listing all finds no binding that has a name.
    container.bind(tokens.manifest).toConstantValue(manifestOf(plugin));
    container
      .bind(tokens.plugin)
      .toDynamicValue(() => plugin)
      .inSingletonScope()
      .whenNamed(plugin.installName);
  }
}

/** The composition root: how the host's parts are made of each other. */
export function buildContainer({ settings, baseUrl, store, plugins, log }: ContainerParts): Container {
  const container = new Container({ defaultScope: 'Singleton' });
  bindPlugins(container, plugins);
  container.bind(tokens.store).toConstantValue(store);
  container.bind(tokens.bookingSystems).toConstantValue(createContainerResolver(container));
  container
    .bind(tokens.outbound)
    .toDynamicValue(() =>
      createOutbound({ allow: settings.outboundAllow, timeoutMs: settings.outboundTimeout }),
    );
  container
    .bind(tokens.connector)
    .toResolvedValue(
      (bookingSystems, outbound) => createBookingSystemConnector({ bookingSystems, outbound }),
      [tokens.bookingSystems, tokens.outbound],
    );
  container
    .bind(tokens.bookingReader)
    .toResolvedValue(
      (connector) => createBookingReader({ store, connector, timeout: settings.outboundTimeout, log }),
      [tokens.connector],
    );
  container.bind(tokens.services).toResolvedValue(
    (outbound, bookingSystems, connector, bookingReader) => ({
      settings,
      baseUrl,
      store,
      outbound,
      bookingSystems,
      connector,
      bookingReader,
    }),
    [tokens.outbound, tokens.bookingSystems, tokens.connector, tokens.bookingReader],
  );
  return container;
}
