import { ContainerModule } from 'inversify';
import { bookingSystemTokens } from '../booking-systems/booking-systems-module.ts';
import { hostTokens } from '../container/host-tokens.ts';
import { changeWaiverRoute } from './change-waiver-route.ts';
import { createWaiverRoute } from './create-waiver-route.ts';
import { listChangesRoute } from './list-changes-route.ts';
import { listWaiversRoute } from './list-waivers-route.ts';
import { readWaiverRoute } from './read-waiver-route.ts';
import { voidWaiverRoute } from './void-waiver-route.ts';

/** The routes of a pool's waiver records. */
export const waiverRoutesModule = new ContainerModule(({ bind }) => {
  bind(hostTokens.routes).toResolvedValue(
    (store, bookingSystems) => (app) => {
      createWaiverRoute(app, { store, bookingSystems });
      listWaiversRoute(app, { store });
      listChangesRoute(app, { store });
      readWaiverRoute(app, { store });
      changeWaiverRoute(app, { store, bookingSystems });
      voidWaiverRoute(app, { store });
    },
    [hostTokens.store, bookingSystemTokens.resolver],
  );
});
