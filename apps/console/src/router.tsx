import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { listedStates } from './api/choices.ts';
import { Empty } from './components/notice.tsx';
import { readAuditSearch } from './pages/audit/audit-search.ts';
import { shownGuests } from './pages/day/shown-guests.ts';
import { readDeliverySearch } from './pages/deliveries/delivery-search.ts';
import { ErrorPage } from './shell/error-page.tsx';
import { pages } from './shell/pages.ts';
import { dayIn, oneOf, searchOf, textIn, versionIn } from './shell/search-params.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title="Page not found" />,
  validateSearch: searchOf({ pool: textIn }),
  // Navigation keeps the chosen pool.
  search: { middlewares: [retainSearchParams(['pool'])] },
});

const page = <Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component });

const bookings = createRoute({
  getParentRoute: () => root,
  path: pages.bookings.path,
  component: lazyRouteComponent(() => import('./pages/bookings/bookings-page.tsx'), 'BookingsPage'),
  validateSearch: searchOf({
    pool: textIn,
    id: textIn,
    day: dayIn,
    bookingSystem: textIn,
  }),
});
const day = createRoute({
  getParentRoute: () => root,
  path: pages.day.path,
  component: lazyRouteComponent(() => import('./pages/day/day-page.tsx'), 'DayPage'),
  validateSearch: searchOf({
    pool: textIn,
    date: dayIn,
    show: (value) => oneOf(shownGuests, value),
    activity: textIn,
  }),
});
const waivers = createRoute({
  getParentRoute: () => root,
  path: pages.waivers.path,
  component: lazyRouteComponent(() => import('./pages/waivers/waivers-page.tsx'), 'WaiversPage'),
  validateSearch: searchOf({
    pool: textIn,
    bookingId: textIn,
    state: (value) => oneOf(listedStates, value),
  }),
});
const messages = createRoute({
  getParentRoute: () => root,
  path: `${pages.pools.path}/$pool/messages`,
  component: lazyRouteComponent(() => import('./pages/pools/messages-page.tsx'), 'MessagesPage'),
  validateSearch: searchOf({
    pool: textIn,
    bookingId: textIn,
  }),
});
const formVersions = createRoute({
  getParentRoute: () => root,
  path: `${pages.forms.path}/$pool/$form/versions`,
  component: lazyRouteComponent(() => import('./pages/forms/versions-page.tsx'), 'VersionsPage'),
  validateSearch: searchOf({
    pool: textIn,
    version: versionIn,
    former: versionIn,
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
  validateSearch: searchOf({
    pool: textIn,
    bookingSystem: textIn,
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
