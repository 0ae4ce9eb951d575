import type { HostServices } from '../composition/host-services.ts';
import type { RouteModule } from '../http/host-app.ts';
import { changeWaiverRoute } from './change-waiver-route.ts';
import { createWaiverRoute } from './create-waiver-route.ts';
import { listChangesRoute } from './list-changes-route.ts';
import { listWaiversRoute } from './list-waivers-route.ts';
import { readWaiverRoute } from './read-waiver-route.ts';
import { voidWaiverRoute } from './void-waiver-route.ts';

/** The routes of a pool's waiver records. */
export const waiverRoutes: RouteModule<Pick<HostServices, 'store' | 'bookingSystems'>> = (app, services) => {
  createWaiverRoute(app, services);
  listWaiversRoute(app, services);
  listChangesRoute(app, services);
  readWaiverRoute(app, services);
  changeWaiverRoute(app, services);
  voidWaiverRoute(app, services);
};
