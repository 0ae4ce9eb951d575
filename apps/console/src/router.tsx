import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  retainSearchParams,
} from '@tanstack/react-router';
import { Empty } from './components/notice.tsx';
import { readAuditSearch } from './pages/audit/audit-search.ts';
import { readDeliverySearch } from './pages/deliveries/delivery-search.ts';
import { type ListedState, listedStates } from './pages/waivers/listed-states.ts';
import { dayIn, oneOf, textIn } from './shell/search-params.ts';
import { Shell } from './shell/shell.tsx';
import { texts } from './text/english.ts';

interface PoolSearch {
  readonly pool?: string | undefined;
}

interface BookingSearch extends PoolSearch {
  /** A day of the viewer's: `2027-06-12`. */
  readonly day?: string | undefined;
  readonly id?: string | undefined;
  readonly bookingSystem?: string | undefined;
}

interface StartSearch extends PoolSearch {
  readonly bookingSystem?: string | undefined;
}

interface WaiverSearch extends PoolSearch {
  readonly bookingId?: string | undefined;
  readonly state?: ListedState | undefined;
}

const root = createRootRoute({
  component: Shell,
  notFoundComponent: () => <Empty title={texts.shell.noSuchPage} />,
  validateSearch: ({ pool }: Readonly<Record<string, unknown>>): PoolSearch => ({ pool: textIn(pool) }),
  // The pool that is looked at stays while one goes from page to page.
  search: { middlewares: [retainSearchParams(['pool'])] },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
});
const bookings = createRoute({
  getParentRoute: () => root,
  path: '/bookings',
  component: lazyRouteComponent(() => import('./pages/bookings/bookings-page.tsx'), 'BookingsPage'),
  validateSearch: ({ pool, id, day, bookingSystem }: Readonly<Record<string, unknown>>): BookingSearch => ({
    pool: textIn(pool),
    id: textIn(id),
    day: dayIn(day),
    bookingSystem: textIn(bookingSystem),
  }),
});
const waivers = createRoute({
  getParentRoute: () => root,
  path: '/waivers',
  component: lazyRouteComponent(() => import('./pages/waivers/waivers-page.tsx'), 'WaiversPage'),
  validateSearch: ({ pool, bookingId, state }: Readonly<Record<string, unknown>>): WaiverSearch => ({
    pool: textIn(pool),
    bookingId: textIn(bookingId),
    state: oneOf(listedStates, state),
  }),
});
const waiver = createRoute({
  getParentRoute: () => root,
  path: '/waivers/$pool/$id',
  component: lazyRouteComponent(() => import('./pages/waivers/waiver-page.tsx'), 'WaiverPage'),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/deliveries',
  component: lazyRouteComponent(() => import('./pages/deliveries/deliveries-page.tsx'), 'DeliveriesPage'),
  validateSearch: readDeliverySearch,
});
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/deliveries/$id',
  component: lazyRouteComponent(() => import('./pages/deliveries/delivery-page.tsx'), 'DeliveryPage'),
});
const destinations = createRoute({
  getParentRoute: () => root,
  path: '/destinations',
  component: lazyRouteComponent(
    () => import('./pages/destinations/destinations-page.tsx'),
    'DestinationsPage',
  ),
});
const pools = createRoute({
  getParentRoute: () => root,
  path: '/pools',
  component: lazyRouteComponent(() => import('./pages/pools/pools-page.tsx'), 'PoolsPage'),
});
const pool = createRoute({
  getParentRoute: () => root,
  path: '/pools/$pool',
  component: lazyRouteComponent(() => import('./pages/pools/pool-page.tsx'), 'PoolPage'),
});
const bookingSystems = createRoute({
  getParentRoute: () => root,
  path: '/booking-systems',
  component: lazyRouteComponent(
    () => import('./pages/booking-systems/booking-systems-page.tsx'),
    'BookingSystemsPage',
  ),
});
const bookingSystem = createRoute({
  getParentRoute: () => root,
  path: '/booking-systems/$name',
  component: lazyRouteComponent(
    () => import('./pages/booking-systems/booking-system-page.tsx'),
    'BookingSystemPage',
  ),
});

const alerts = createRoute({
  getParentRoute: () => root,
  path: '/alerts',
  component: lazyRouteComponent(() => import('./pages/alerts/alerts-page.tsx'), 'AlertsPage'),
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
const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  component: lazyRouteComponent(() => import('./pages/people/people-page.tsx'), 'PeoplePage'),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
  validateSearch: readAuditSearch,
});

const routeTree = root.addChildren([
  overview,
  bookings,
  waivers,
  waiver,
  deliveries,
  delivery,
  destinations,
  pools,
  pool,
  bookingSystems,
  bookingSystem,
  alerts,
  start,
  people,
  audit,
]);

/** Every page and its address. */
export const router = createRouter({ routeTree, basepath: '/console', defaultPreload: false });

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The search text of the page of waivers: not in the address, since it names guests. */
    waiverSearch?: string | undefined;
  }
  interface Register {
    router: typeof router;
  }
}
