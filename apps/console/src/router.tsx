import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { type ListedState, listedStates } from './api/choices.ts';
import { Empty } from './components/notice.tsx';
import { readAuditSearch } from './pages/audit/audit-search.ts';
import { type ShownGuests, shownGuests } from './pages/day/shown-guests.ts';
import { readDeliverySearch } from './pages/deliveries/delivery-search.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { pages } from './shell/pages.ts';
import { dayIn, oneOf, textIn, versionIn } from './shell/search-params.ts';
import { Shell } from './shell/shell.tsx';
import { texts } from './text/english.ts';

interface PoolSearch {
  readonly pool?: string | undefined;
}

interface BookingSearch extends PoolSearch {
  /** In the viewer's time zone: `2027-06-12`. */
  readonly day?: string | undefined;
  readonly id?: string | undefined;
  readonly bookingSystem?: string | undefined;
}

interface DaySearch extends PoolSearch {
  /** In the pool's time zone: `2027-06-12`. */
  readonly date?: string | undefined;
  readonly show?: ShownGuests | undefined;
  readonly activity?: string | undefined;
}

interface MessageSearch extends PoolSearch {
  readonly bookingId?: string | undefined;
}

interface StartSearch extends PoolSearch {
  readonly bookingSystem?: string | undefined;
}

interface VersionSearch extends PoolSearch {
  /** The version shown; `former` is the one it is compared with. */
  readonly version?: string | undefined;
  readonly former?: string | undefined;
}

interface WaiverSearch extends PoolSearch {
  readonly bookingId?: string | undefined;
  readonly state?: ListedState | undefined;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title={texts.shell.noSuchPage} />,
  validateSearch: ({ pool }: Readonly<Record<string, unknown>>): PoolSearch => ({ pool: textIn(pool) }),
  // Navigation keeps the chosen pool.
  search: { middlewares: [retainSearchParams(['pool'])] },
});

const page = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component });

const bookings = createRoute({
  getParentRoute: () => root,
  path: pages.bookings.path,
  component: lazyRouteComponent(() => import('./pages/bookings/bookings-page.tsx'), 'BookingsPage'),
  validateSearch: ({ pool, id, day, bookingSystem }: Readonly<Record<string, unknown>>): BookingSearch => ({
    pool: textIn(pool),
    id: textIn(id),
    day: dayIn(day),
    bookingSystem: textIn(bookingSystem),
  }),
});
const day = createRoute({
  getParentRoute: () => root,
  path: pages.day.path,
  component: lazyRouteComponent(() => import('./pages/day/day-page.tsx'), 'DayPage'),
  validateSearch: ({ pool, date, show, activity }: Readonly<Record<string, unknown>>): DaySearch => ({
    pool: textIn(pool),
    date: dayIn(date),
    show: oneOf(shownGuests, show),
    activity: textIn(activity),
  }),
});
const waivers = createRoute({
  getParentRoute: () => root,
  path: pages.waivers.path,
  component: lazyRouteComponent(() => import('./pages/waivers/waivers-page.tsx'), 'WaiversPage'),
  validateSearch: ({ pool, bookingId, state }: Readonly<Record<string, unknown>>): WaiverSearch => ({
    pool: textIn(pool),
    bookingId: textIn(bookingId),
    state: oneOf(listedStates, state),
  }),
});
const messages = createRoute({
  getParentRoute: () => root,
  path: `${pages.pools.path}/$pool/messages`,
  component: lazyRouteComponent(() => import('./pages/pools/messages-page.tsx'), 'MessagesPage'),
  validateSearch: ({ pool, bookingId }: Readonly<Record<string, unknown>>): MessageSearch => ({
    pool: textIn(pool),
    bookingId: textIn(bookingId),
  }),
});
const formVersions = createRoute({
  getParentRoute: () => root,
  path: `${pages.forms.path}/$pool/$form/versions`,
  component: lazyRouteComponent(() => import('./pages/forms/versions-page.tsx'), 'VersionsPage'),
  validateSearch: ({ pool, version, former }: Readonly<Record<string, unknown>>): VersionSearch => ({
    pool: textIn(pool),
    version: versionIn(version),
    former: versionIn(former),
  }),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: pages.deliveries.path,
  component: lazyRouteComponent(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  validateSearch: readDeliverySearch,
});
const start = createRoute({
  getParentRoute: () => root,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page.tsx'), 'StartPage'),
  validateSearch: ({ pool, bookingSystem }: Readonly<Record<string, unknown>>): StartSearch => ({
    pool: textIn(pool),
    bookingSystem: textIn(bookingSystem),
  }),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: pages.audit.path,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  validateSearch: readAuditSearch,
});

const routeTree = root.addChildren([
  page(
    pages.overview.path,
    lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
  ),
  day,
  bookings,
  waivers,
  page(
    `${pages.waivers.path}/$pool/$id`,
    lazyRouteComponent(() => import('./pages/waivers/waiver-page.tsx'), 'WaiverPage'),
  ),
  page(
    pages.forms.path,
    lazyRouteComponent(() => import('./pages/forms/forms-page.tsx'), 'FormsPage'),
  ),
  page(
    `${pages.forms.path}/$pool/$form`,
    lazyRouteComponent(() => import('./pages/forms/form-page.tsx'), 'FormPage'),
  ),
  formVersions,
  messages,
  deliveries,
  page(
    `${pages.deliveries.path}/$id`,
    lazyRouteComponent(() => import('./pages/deliveries/delivery-page.tsx'), 'DeliveryPage'),
  ),
  page(
    pages.destinations.path,
    lazyRouteComponent(() => import('./pages/destinations/destinations-page.tsx'), 'DestinationsPage'),
  ),
  page(
    pages.pools.path,
    lazyRouteComponent(() => import('./pages/pools/pools-page.tsx'), 'PoolsPage'),
  ),
  page(
    `${pages.pools.path}/$pool`,
    lazyRouteComponent(() => import('./pages/pools/pool-page.tsx'), 'PoolPage'),
  ),
  page(
    pages.bookingSystems.path,
    lazyRouteComponent(
      () => import('./pages/booking-systems/booking-systems-page.tsx'),
      'BookingSystemsPage',
    ),
  ),
  page(
    `${pages.bookingSystems.path}/$name`,
    lazyRouteComponent(() => import('./pages/booking-systems/booking-system-page.tsx'), 'BookingSystemPage'),
  ),
  page(
    pages.alerts.path,
    lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
  ),
  page(
    pages.people.path,
    lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
  ),
  start,
  audit,
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
