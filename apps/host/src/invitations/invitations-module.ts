import { ContainerModule } from 'inversify';
import { tokens } from '../container/tokens.ts';
import { using } from '../container/using.ts';
import { createInvitationPlanning } from './invitation-planning.ts';
import { invitationLogRoutes } from './log-routes.ts';
import { sendInvitationRoute } from './send-route.ts';
import { invitationSettingsRoutes } from './settings-routes.ts';
import { unsubscribeRoute } from './unsubscribe-route.ts';

/** E-mail that asks guests to sign before they come. */
export const invitationsModule = new ContainerModule(({ bind }) => {
  for (const addRoutes of [
    invitationSettingsRoutes,
    sendInvitationRoute,
    invitationLogRoutes,
    unsubscribeRoute,
  ])
    bind(tokens.routes).toConstantValue(addRoutes);
  bind(tokens.background).toResolvedValue(
    ...using(
      ['store', 'bookingReader', 'bookingLister', 'bookingSystems', 'settings', 'log'],
      createInvitationPlanning,
    ),
  );
});
