import type { BookingSystemManifest, BookingSystemPlugin } from '@waiver-service/core';
import type { Outbound } from '@waiver-service/outbound';
import type { Store } from '@waiver-service/store';
import type { ServiceIdentifier } from 'inversify';
import type { BookingReader } from '../booking-reading/index.ts';
import type { BookingSystemConnector } from '../booking-systems/booking-system-connection.ts';
import type { BookingSystemResolver } from '../booking-systems/booking-system-resolver.ts';
import type { HostServices } from './host-services.ts';

const token = <Service>(name: string): ServiceIdentifier<Service> => Symbol(name);

/** What the container can be asked for. */
export const tokens = {
  /** Bound unnamed, once for each booking system: for listing. */
  manifest: token<BookingSystemManifest>('booking system manifest'),
  /** Bound by install name. */
  plugin: token<BookingSystemPlugin>('booking system plugin'),
  bookingSystems: token<BookingSystemResolver>('booking system resolver'),
  connector: token<BookingSystemConnector>('booking system connector'),
  store: token<Store>('store'),
  outbound: token<Outbound>('outbound'),
  bookingReader: token<BookingReader>('booking reader'),
  services: token<HostServices>('services of routes'),
};
