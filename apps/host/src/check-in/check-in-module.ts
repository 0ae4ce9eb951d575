import { RouteModule } from '@waiver-service/http';
import { BackgroundWork } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { FormRoutes } from '../admin-routes/form-routes.ts';
import { ReturningCodeRoutes } from '../returning/code-routes.ts';
import { ReturningPeopleRoutes } from '../returning/people-routes.ts';
import { ReuseRoute } from '../returning/reuse-route.ts';
import { CopyRoutes } from './copy-routes.ts';
import { EvidenceRoutes } from './evidence-route.ts';
import { createGuestBudgets, GuestBudgets } from './guest-budgets.ts';
import { createGuestTurns, GuestTurns } from './guest-turns.ts';
import { LateSigningRoutes } from './late-signing-routes.ts';
import { GuestRoutes, LinkRoutes } from './link-access.ts';
import { CheckInLinkRoutes } from './link-routes.ts';
import { SealedSigningRoute } from './sealed-signing-route.ts';
import { SessionRoute } from './session-route.ts';
import { SigningRoutes } from './signing-route.ts';
import { StampKeeper } from './stamp-keeper.ts';

/** Guests sign: forms, links, signings, their documents, and the outside stamps of their evidence. */
export const signingModule = new ContainerModule(({ bind }) => {
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
  bind(BackgroundWork).to(StampKeeper);
});
