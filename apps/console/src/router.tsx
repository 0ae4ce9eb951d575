import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import {
  dayIn,
  deliverySearch,
  listedStates,
  oneOf,
  periods,
  type Readers,
  searchOf,
  shownGuests,
  textIn,
  versionIn,
} from './api/choices.ts';
import { Empty } from './components/notice.tsx';
import { ErrorPage, Shell } from './shell/shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title="Page not found" />,
  validateSearch: searchOf({ pool: textIn }),
  // Navigation keeps the chosen pool.
  search: { middlewares: [retainSearchParams(['pool'])] },
});

/** A page: the file and the name of its component, and the search parameters that it has besides the pool. */
const page = <Path extends string, Name extends string, Read extends Readers>(
  path: Path,
  load: () => Promise<Readonly<Record<Name, RouteComponent>>>,
  name: Name,
  search: Read,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, name),
    validateSearch: searchOf(search),
  });

const none = {};
const routeTree = root.addChildren([
  page('/', () => import('./pages/operations/overview-page.tsx'), 'OverviewPage', none),
  page('/day', () => import('./pages/day-board/day-page.tsx'), 'DayPage', {
    date: dayIn,
    show: oneOf(shownGuests),
    activity: textIn,
  }),
  page('/bookings', () => import('./pages/integration/bookings-page.tsx'), 'BookingsPage', {
    id: textIn,
    day: dayIn,
    bookingSystem: textIn,
  }),
  page('/waivers', () => import('./pages/guest-data/waivers-page.tsx'), 'WaiversPage', {
    bookingId: textIn,
    state: oneOf(listedStates),
  }),
  page('/waivers/$pool/$id', () => import('./pages/guest-data/waiver-page.tsx'), 'WaiverPage', none),
  page('/forms', () => import('./pages/signing/forms-page.tsx'), 'FormsPage', none),
  page('/forms/$pool/$form', () => import('./pages/signing/form-page.tsx'), 'FormPage', none),
  page('/forms/$pool/$form/versions', () => import('./pages/signing/versions-page.tsx'), 'VersionsPage', {
    version: versionIn,
    former: versionIn,
  }),
  page(
    '/deliveries',
    () => import('./pages/operations/deliveries-page.tsx'),
    'DeliveriesPage',
    deliverySearch,
  ),
  page('/deliveries/$id', () => import('./pages/operations/delivery-page.tsx'), 'DeliveryPage', none),
  page('/destinations', () => import('./pages/operations/destinations-page.tsx'), 'DestinationsPage', none),
  page('/pools', () => import('./pages/integration/pools-page.tsx'), 'PoolsPage', none),
  page('/pools/$pool', () => import('./pages/integration/pools-page.tsx'), 'PoolPage', none),
  page('/pools/$pool/messages', () => import('./pages/invitations/messages-page.tsx'), 'MessagesPage', {
    bookingId: textIn,
  }),
  page(
    '/booking-systems',
    () => import('./pages/integration/booking-systems-page.tsx'),
    'BookingSystemsPage',
    none,
  ),
  page(
    '/booking-systems/$name',
    () => import('./pages/integration/booking-systems-page.tsx'),
    'BookingSystemPage',
    none,
  ),
  page('/alerts', () => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage', none),
  page('/people', () => import('./pages/people/people-page.tsx'), 'PeoplePage', none),
  page('/start', () => import('./pages/integration/start-page.tsx'), 'StartPage', { bookingSystem: textIn }),
  page('/audit', () => import('./pages/operations/audit-page.tsx'), 'AuditPage', {
    actor: textIn,
    action: textIn,
    target: textIn,
    period: oneOf(periods),
  }),
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
