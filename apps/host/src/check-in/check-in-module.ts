import { type HostApp, RouteModule } from '@waiver-service/http';
import { BackgroundWork } from '@waiver-service/integration';
import { ContainerModule } from 'inversify';
import { serveBuiltPages } from '../console/built-pages.ts';
import { ReturningCodeRoutes } from '../returning/code-routes.ts';
import { ReturningPeopleRoutes } from '../returning/people-routes.ts';
import { ReuseRoute } from '../returning/reuse-route.ts';
import { CopyRoutes } from './copy-routes.ts';
import { EvidenceRoutes } from './evidence-route.ts';
import { createGuestBudgets, GuestBudgets } from './guest-budgets.ts';
import { createGuestTurns, GuestTurns } from './guest-turns.ts';
import { KioskDeviceRoutes } from './kiosk-device-routes.ts';
import { KioskRoutes } from './kiosk-routes.ts';
import { LateSigningRoutes } from './late-signing-routes.ts';
import { GuestRoutes, LinkRoutes } from './link-access.ts';
import { CheckInLinkRoutes } from './link-routes.ts';
import { SealedSigningRoute } from './sealed-signing-route.ts';
import { SessionRoute } from './session-route.ts';
import { SigningRoutes } from './signing-route.ts';
import { StampKeeper } from './stamp-keeper.ts';

// Like the console's; `blob:` shows photos before they are sent.
const policyWith = (connect: string, ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${ancestors}`,
  ].join('; ');

/** Serves the page on which guests sign under `/check-in`. The document is the same for every link. */
const serveCheckInPage = (app: HostApp): Promise<void> =>
  serveBuiltPages(app, {
    name: '@waiver-service/check-in',
    path: '/check-in',
    contentPolicy: policyWith("'self'", "'none'"),
    // The console previews a draft in it. It may make no requests, so nothing can be signed there.
    otherPolicies: { preview: policyWith("'none'", "'self'") },
    script: 'build:check-in',
  });

/** Guests sign: links, the page, signings, and the outside stamps of their evidence. */
export const checkInModule = new ContainerModule(({ bind }) => {
  bind(LinkRoutes).to(SessionRoute);
  bind(LinkRoutes).to(SigningRoutes);
  bind(LinkRoutes).to(ReturningCodeRoutes);
  bind(LinkRoutes).to(ReturningPeopleRoutes);
  bind(LinkRoutes).to(ReuseRoute);
  bind(RouteModule).to(GuestRoutes);
  bind(RouteModule).to(SealedSigningRoute);
  bind(RouteModule).to(CheckInLinkRoutes);
  bind(RouteModule).to(LateSigningRoutes);
  bind(RouteModule).to(KioskRoutes);
  bind(RouteModule).to(KioskDeviceRoutes);
  bind(RouteModule).to(CopyRoutes);
  bind(RouteModule).to(EvidenceRoutes);
  bind(RouteModule).toConstantValue({ addRoutes: serveCheckInPage });
  bind(GuestBudgets).toResolvedValue(() => createGuestBudgets());
  bind(GuestTurns).toResolvedValue(() => createGuestTurns());
  bind(BackgroundWork).to(StampKeeper);
});
