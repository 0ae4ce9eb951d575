import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import type { RouteModule } from '../http/host-app.ts';
import { returningCodeRoutes } from '../returning/code-routes.ts';
import { returningPeopleRoutes } from '../returning/people-routes.ts';
import { reuseRoute } from '../returning/reuse-route.ts';
import { bookingLinkRoute } from './booking-link-route.ts';
import { serveCheckInPage } from './check-in-files.ts';
import { copyRoutes } from './copy-routes.ts';
import { documentRoute } from './document-routes.ts';
import { evidenceRoute } from './evidence-route.ts';
import { createGuestBudgets } from './guest-budgets.ts';
import { createGuestTurns } from './guest-turns.ts';
import { kioskDeviceRoutes } from './kiosk-device-routes.ts';
import { kioskRoutes } from './kiosk-routes.ts';
import { lateSigningRoutes } from './late-signing-routes.ts';
import { openToLinks } from './link-access.ts';
import { checkInLinkRoutes, findLinkRoute } from './link-routes.ts';
import { signedPageRoute } from './page-route.ts';
import { sealedSigningRoute } from './sealed-signing-route.ts';
import { sessionRoute } from './session-route.ts';
import { signingDetailsRoute } from './signing-details-route.ts';
import { signingRoute } from './signing-route.ts';
import { createStampKeeper } from './stamp-keeper.ts';

/** The routes that the check-in page calls, with the token of its link. */
const guestRoutes: RouteModule = (app, services) => {
  app.register(async (scope) => {
    openToLinks(scope, services);
    for (const addRoutes of [
      sessionRoute,
      signingRoute,
      signedPageRoute,
      returningCodeRoutes,
      returningPeopleRoutes,
      reuseRoute,
    ])
      addRoutes(scope, services);
  });
};

/** Guests sign: links, the page, signings, and the outside stamps of their evidence. */
export const checkInModule = new ContainerModule(({ bind }) => {
  for (const addRoutes of [
    guestRoutes,
    sealedSigningRoute,
    checkInLinkRoutes,
    findLinkRoute,
    bookingLinkRoute,
    lateSigningRoutes,
    kioskRoutes,
    kioskDeviceRoutes,
    documentRoute,
    copyRoutes,
    evidenceRoute,
    signingDetailsRoute,
    serveCheckInPage,
  ])
    bind(tokens.routes).toConstantValue(addRoutes);
  bind(tokens.guestBudgets).toResolvedValue(() => createGuestBudgets());
  bind(tokens.guestTurns).toResolvedValue(() => createGuestTurns());
  bind(tokens.background).toResolvedValue(
    ...using(['store', 'outbound', 'settings', 'log'], createStampKeeper),
  );
});
