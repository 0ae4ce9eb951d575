import type { Role } from '../api/resources.ts';
import { texts } from '../text/english.ts';

/** The navigation's pages, in order: each one's path, and the minimum role that may see it. */
export const pages = {
  overview: { path: '/', role: 'viewer' },
  day: { path: '/day', role: 'viewer' },
  bookings: { path: '/bookings', role: 'viewer' },
  waivers: { path: '/waivers', role: 'viewer' },
  forms: { path: '/forms', role: 'viewer' },
  deliveries: { path: '/deliveries', role: 'viewer' },
  destinations: { path: '/destinations', role: 'viewer' },
  pools: { path: '/pools', role: 'viewer' },
  bookingSystems: { path: '/booking-systems', role: 'viewer' },
  alerts: { path: '/alerts', role: 'viewer' },
  people: { path: '/people', role: 'owner' },
  audit: { path: '/audit', role: 'operator' },
} as const satisfies Readonly<Record<PageName, { readonly path: string; readonly role: Role }>>;

type PageName = keyof typeof texts.pages;

interface NavItem {
  readonly path: (typeof pages)[PageName]['path'];
  readonly label: string;
  /** Extra search words. */
  readonly words: string;
}

const isPageName = (name: string): name is PageName => Object.hasOwn(pages, name);

export const navItemsFor = (may: (role: Role) => boolean): readonly NavItem[] =>
  Object.keys(pages)
    .filter(isPageName)
    .filter((name) => may(pages[name].role))
    .map((name) => ({
      path: pages[name].path,
      label: texts.pages[name],
      words: texts.commands.words[name],
    }));
