import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as lazy,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { listedStates, periods, shownGuests } from './api/choices.ts';
import { Empty } from './components/notice.tsx';
import {
  dayIn,
  deliverySearch,
  oneOf,
  type Readers,
  searchOf,
  textIn,
  versionIn,
} from './shell/search-params.ts';
import { ErrorPage, Shell } from './shell/shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title="Page not found" />,
  validateSearch: searchOf({ pool: textIn }),
  // Navigation keeps the chosen pool.
  search: { middlewares: [retainSearchParams(['pool'])] },
});

/** A page, with the search parameters that it has besides the pool. */
const page = <Path extends string, Read extends Readers>(
  path: Path,
  search: Read,
  component: RouteComponent,
) => createRoute({ getParentRoute: () => root, path, component, validateSearch: searchOf(search) });

const routeTree = root.addChildren([
  page(
    '/',
    {},
    lazy(() => import('./pages/operations/overview-page.tsx'), 'OverviewPage'),
  ),
  page(
    '/day',
    { date: dayIn, show: oneOf(shownGuests), activity: textIn },
    lazy(() => import('./pages/day-board/day-page.tsx'), 'DayPage'),
  ),
  page(
    '/bookings',
    { id: textIn, day: dayIn, bookingSystem: textIn },
    lazy(() => import('./pages/integration/bookings-page.tsx'), 'BookingsPage'),
  ),
  page(
    '/waivers',
    { bookingId: textIn, state: oneOf(listedStates) },
    lazy(() => import('./pages/guest-data/waivers-page.tsx'), 'WaiversPage'),
  ),
  page(
    '/waivers/$pool/$id',
    {},
    lazy(() => import('./pages/guest-data/waiver-page.tsx'), 'WaiverPage'),
  ),
  page(
    '/forms',
    {},
    lazy(() => import('./pages/signing/forms-page.tsx'), 'FormsPage'),
  ),
  page(
    '/forms/$pool/$form',
    {},
    lazy(() => import('./pages/signing/form-page.tsx'), 'FormPage'),
  ),
  page(
    '/forms/$pool/$form/versions',
    { version: versionIn, former: versionIn },
    lazy(() => import('./pages/signing/versions-page.tsx'), 'VersionsPage'),
  ),
  page(
    '/deliveries',
    deliverySearch,
    lazy(() => import('./pages/operations/deliveries-page.tsx'), 'DeliveriesPage'),
  ),
  page(
    '/deliveries/$id',
    {},
    lazy(() => import('./pages/operations/delivery-page.tsx'), 'DeliveryPage'),
  ),
  page(
    '/destinations',
    {},
    lazy(() => import('./pages/operations/destinations-page.tsx'), 'DestinationsPage'),
  ),
  page(
    '/pools',
    {},
    lazy(() => import('./pages/integration/pools-page.tsx'), 'PoolsPage'),
  ),
  page(
    '/pools/$pool',
    {},
    lazy(() => import('./pages/integration/pool-page.tsx'), 'PoolPage'),
  ),
  page(
    '/pools/$pool/messages',
    { bookingId: textIn },
    lazy(() => import('./pages/invitations/messages-page.tsx'), 'MessagesPage'),
  ),
  page(
    '/booking-systems',
    {},
    lazy(() => import('./pages/integration/booking-systems-page.tsx'), 'BookingSystemsPage'),
  ),
  page(
    '/booking-systems/$name',
    {},
    lazy(() => import('./pages/integration/booking-systems-page.tsx'), 'BookingSystemPage'),
  ),
  page(
    '/alerts',
    {},
    lazy(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  ),
  page(
    '/people',
    {},
    lazy(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
  ),
  page(
    '/start',
    { bookingSystem: textIn },
    lazy(() => import('./pages/integration/start-page.tsx'), 'StartPage'),
  ),
  page(
    '/audit',
    { actor: textIn, action: textIn, target: textIn, period: oneOf(periods) },
    lazy(() => import('./pages/operations/audit-page.tsx'), 'AuditPage'),
  ),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: false,
  // Another record is another page: no dialog or typed text of the former one may act on it.
  defaultRemountDeps: ({ params }) => params,
  defaultErrorComponent: ErrorPage,
});

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The search text of the waivers page: not in the URL, since it names guests. */
    waiverSearch?: string | undefined;
  }
  interface Register {
    router: typeof router;
  }
}
