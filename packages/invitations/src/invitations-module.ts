import { Mailer } from '@waiver-service/alerts';
import { RouteModule } from '@waiver-service/http';
import { BackgroundWork, BookingReader, MessageSender } from '@waiver-service/integration';
import { GuestMail, SigningStore } from '@waiver-service/signing';
import { ContainerModule } from 'inversify';
import { guestMail } from './data/invitation-settings.ts';
import { InvitationStore, openInvitationStore } from './data/invitation-store.ts';
import { InvitationPlanning } from './invitation-planning.ts';
import { createInvitationSender } from './invitation-sender.ts';
import { InvitationLogRoutes, SendInvitationRoute } from './message-routes.ts';
import { InvitationSettingsRoutes } from './settings-routes.ts';
import { UnsubscribeRoute } from './unsubscribe-route.ts';

const invitationSender = (
  store: InvitationStore,
  bookingReader: BookingReader,
  mailer: Mailer | undefined,
): MessageSender => ({
  kind: 'invitation',
  send: createInvitationSender({ store, bookingReader, mailer }),
});

/** E-mail that asks guests to sign before they come. */
export const invitationsModule = new ContainerModule(({ bind }) => {
  bind(GuestMail).toConstantValue(guestMail);
  bind(InvitationStore).toResolvedValue(openInvitationStore, [SigningStore]);
  bind(RouteModule).to(InvitationSettingsRoutes);
  bind(RouteModule).to(SendInvitationRoute);
  bind(RouteModule).to(InvitationLogRoutes);
  bind(RouteModule).to(UnsubscribeRoute);
  bind(MessageSender).toResolvedValue(invitationSender, [InvitationStore, BookingReader, Mailer]);
  bind(BackgroundWork).to(InvitationPlanning);
});
