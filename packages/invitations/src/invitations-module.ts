import { RouteModule } from '@waiver-service/http';
import { BackgroundWork } from '@waiver-service/integration';
import { GuestMail, SigningStore } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';
import { guestMail } from './data/guest-mail.ts';
import { InvitationStore, openInvitationStore } from './data/invitation-store.ts';
import { InvitationPlanning } from './invitation-planning.ts';
import { InvitationLogRoutes } from './log-routes.ts';
import { SendInvitationRoute } from './send-route.ts';
import { InvitationSettingsRoutes } from './settings-routes.ts';
import { UnsubscribeRoute } from './unsubscribe-route.ts';

/** E-mail that asks guests to sign before they come. */
export const invitationsModule = new ContainerModule(({ bind }) => {
  bind(GuestMail).toConstantValue(guestMail);
  bind(InvitationStore).toResolvedValue(openInvitationStore, [SigningStore]);
  bind(RouteModule).to(InvitationSettingsRoutes);
  bind(RouteModule).to(SendInvitationRoute);
  bind(RouteModule).to(InvitationLogRoutes);
  bind(RouteModule).to(UnsubscribeRoute);
  bind(BackgroundWork).to(InvitationPlanning);
});
