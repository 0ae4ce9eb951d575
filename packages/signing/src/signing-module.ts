import { RouteModule } from '@waiver-service/http';
import { BackgroundWork, BookingReader, CheckIn, Store } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { GuestMail } from './data/copies.ts';
import { openSigningStore, SigningStore } from './data/signing-store.ts';
import { CopyRoutes } from './documents/copy-routes.ts';
import { EvidenceRoutes } from './documents/evidence-route.ts';
import { signedDocumentOf } from './documents/print-document.ts';
import { FormRoutes } from './forms/form-routes.ts';
import { createGuestBudgets, GuestBudgets } from './links/guest-budgets.ts';
import { createGuestTurns, GuestTurns } from './links/guest-turns.ts';
import { GuestRoutes, LinkRoutes } from './links/link-access.ts';
import { createOpenedBookings, OpenedBookings } from './links/link-booking.ts';
import { CheckInLinkRoutes } from './links/link-routes.ts';
import { SessionRoute } from './links/session-route.ts';
import { ReturningCodeRoutes, ReturningPeopleRoutes } from './returning/returning-routes.ts';
import { ReuseRoute } from './returning/reuse-route.ts';
import { LateSigningRoutes, SealedSigningRoute } from './signings/late-signing-routes.ts';
import { SigningRoutes } from './signings/signing-route.ts';
import { StampKeeper } from './signings/stamp-keeper.ts';

const checkInOf = ({ forms, checkInLinks, signings }: SigningStore): CheckIn => ({
  hasForm: forms.hasPublished,
  tokenOf: checkInLinks.ofBooking,
  signingOf: signings.ofWaiver,
  documentOf: (waiver, warn) => signedDocumentOf(signings, waiver, warn),
});

/** Guests sign: forms, links, signings, their documents, and the outside stamps of their evidence. */
export const signingModule = new ContainerModule(({ bind }) => {
  bind(SigningStore).toResolvedValue(openSigningStore, [Store, GuestMail]);
  bind(CheckIn).toResolvedValue(checkInOf, [SigningStore]);
  bind(LinkRoutes).to(SessionRoute);
  bind(LinkRoutes).to(SigningRoutes);
  bind(LinkRoutes).to(ReturningCodeRoutes);
  bind(LinkRoutes).to(ReturningPeopleRoutes);
  bind(LinkRoutes).to(ReuseRoute);
  bind(RouteModule).to(GuestRoutes);
  bind(RouteModule).to(SealedSigningRoute);
  bind(RouteModule).to(FormRoutes);
  bind(RouteModule).to(CheckInLinkRoutes);
  bind(RouteModule).to(LateSigningRoutes);
  bind(RouteModule).to(CopyRoutes);
  bind(RouteModule).to(EvidenceRoutes);
  bind(GuestBudgets).toResolvedValue(() => createGuestBudgets());
  bind(GuestTurns).toResolvedValue(() => createGuestTurns());
  bind(OpenedBookings).toResolvedValue(
    (store: SigningStore, bookingReader: BookingReader) => createOpenedBookings({ store, bookingReader }),
    [SigningStore, BookingReader],
  );
  bind(BackgroundWork).to(StampKeeper);
});
