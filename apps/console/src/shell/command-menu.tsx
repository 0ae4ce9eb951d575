import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { bookingSystemsQuery, poolsQuery, waiversQuery } from '../api/queries.ts';
import type { BookingSystemItem, Pool, Role, WaiverRecord } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { nameOfGuest } from '../components/names.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import styles from './shell.module.css';

interface NavItem {
  readonly path: string;
  readonly label: string;
  /** The minimum role that may see the page. */
  readonly role: Role;
  /** Extra search words. */
  readonly words: string;
}

const { pages } = texts;

/** The navigation's pages, in order. */
const navItems = [
  { path: '/', label: pages.overview, role: 'viewer', words: 'start health charts throughput latency' },
  {
    path: '/day',
    label: pages.day,
    role: 'viewer',
    words: 'today arrivals arrived missing walk-ins desk attach scan print van guests',
  },
  { path: '/bookings', label: pages.bookings, role: 'viewer', words: 'read day raw answer who signed' },
  { path: '/waivers', label: pages.waivers, role: 'viewer', words: 'guest record version void answers' },
  {
    path: '/forms',
    label: pages.forms,
    role: 'viewer',
    words: 'questions consents signature edit publish versions languages template',
  },
  { path: '/deliveries', label: pages.deliveries, role: 'viewer', words: 'messages sent attempts retry' },
  {
    path: '/destinations',
    label: pages.destinations,
    role: 'viewer',
    words: 'pause resume receivers failing',
  },
  {
    path: '/pools',
    label: pages.pools,
    role: 'viewer',
    words: 'install test check approve authorize webhook edit rotate secret verify access token',
  },
  {
    path: '/booking-systems',
    label: pages.bookingSystems,
    role: 'viewer',
    words: 'plugin settings base address install key',
  },
  { path: '/alerts', label: pages.alerts, role: 'viewer', words: 'mail webhook notify failing paused' },
  {
    path: '/people',
    label: pages.people,
    role: 'owner',
    words: 'credential role owner operator viewer revoke',
  },
  { path: '/audit', label: pages.audit, role: 'operator', words: 'trail history export csv who did' },
] as const satisfies readonly NavItem[];

export const navItemsFor = (may: (role: Role) => boolean) => navItems.filter(({ role }) => may(role));

interface Command {
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly target: NavigateOptions;
}

interface CommandQuery {
  readonly typed: string;
  readonly pools: readonly Pool[];
  readonly bookingSystems: readonly BookingSystemItem[];
  readonly pool: string | undefined;
  readonly may: (role: Role) => boolean;
}

const failedDeliveries: Command = {
  key: 'failed deliveries',
  label: 'Failed deliveries',
  hint: pages.deliveries,
  target: { to: '/deliveries', search: { state: 'dead' } },
};

const deliveryId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const maxPools = 8;

const guestCommand = (waiver: WaiverRecord): Command => ({
  key: `guest ${waiver.id}`,
  label: nameOfGuest(waiver),
  hint: `Guest in ${waiver.pool}`,
  target: { to: '/waivers/$pool/$id', params: { pool: waiver.pool, id: waiver.id } },
});

/** Whether `words` contains every typed word, whole or in part. */
function fitsWords(typed: string, words: string): boolean {
  const inside = words.toLowerCase();
  return typed.split(/\s+/).every((word) => inside.includes(word));
}

/** Pages, pools and booking systems that match the text, and the booking, waiver or delivery whose id it may be. */
export function commandsFor({ typed, pools, bookingSystems, pool, may }: CommandQuery): readonly Command[] {
  const text = typed.trim();
  const lower = text.toLowerCase();
  const found: Command[] = navItemsFor(may)
    .filter(({ label, words }) => fitsWords(lower, `${label} ${words}`))
    .map(({ path, label }) => ({ key: path, label, hint: 'Page', target: { to: path } }));
  if (text !== '' && fitsWords(lower, 'failed deliveries dead retry errors')) found.push(failedDeliveries);
  for (const { id, name } of pools
    .filter((one) => fitsWords(lower, `${one.id} ${one.name}`))
    .slice(0, maxPools)) {
    found.push({
      key: `pool ${id}`,
      label: name,
      hint: 'Pool',
      target: { to: '/pools/$pool', params: { pool: id } },
    });
  }
  if (text === '') return found;
  for (const { installName, displayName } of bookingSystems) {
    if (!fitsWords(lower, `${installName} ${displayName}`)) continue;
    found.push({
      key: `booking system ${installName}`,
      label: displayName,
      hint: 'Booking system',
      target: { to: '/booking-systems/$name', params: { name: installName } },
    });
  }
  if (deliveryId.test(text)) {
    found.push({
      key: 'delivery',
      label: text,
      hint: 'Delivery',
      target: { to: '/deliveries/$id', params: { id: text } },
    });
  }
  const inPools = pool === undefined ? pools.slice(0, maxPools).map(({ id }) => id) : [pool];
  for (const id of inPools) {
    found.push(
      {
        key: `booking ${id}`,
        label: text,
        hint: `Booking in ${id}`,
        target: { to: '/bookings', search: { pool: id, id: text } },
      },
      {
        key: `waiver ${id}`,
        label: text,
        hint: `Waiver in ${id}`,
        target: { to: '/waivers/$pool/$id', params: { pool: id, id: text } },
      },
    );
  }
  return found;
}

const isShortcut = ({ key, metaKey, ctrlKey }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (metaKey || ctrlKey);

const pauseMs = 300;
const minSearchLength = 2;
const maxGuests = 8;

/** A pool's waivers whose guest name or email address starts with the typed text, if the person may see guests. */
function useGuestsFound(typed: string, pool: string | undefined) {
  const { may } = useSession();
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const isSought = may('operator') && pool !== undefined && search.length >= minSearchLength;
  const { data } = useInfiniteQuery({ ...waiversQuery(pool ?? '', { search }), enabled: isSought });
  if (!isSought) return [];
  const found = data?.pages.flatMap(({ items }) => items) ?? [];
  return found.slice(0, maxGuests).map(guestCommand);
}

/** The command palette: opens a page or pool, or a booking, waiver or delivery by its id. */
export function CommandMenu() {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const { data: pools = [] } = useQuery(poolsQuery);
  const { data: bookingSystems = [] } = useQuery({ ...bookingSystemsQuery, enabled: isOpen });
  const { may } = useSession();
  const { pool } = useSearch({ strict: false });
  const navigate = useNavigate();
  useEffect(() => {
    const toggle = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return;
      event.preventDefault();
      setIsOpen((open) => !open);
    };
    window.addEventListener('keydown', toggle);
    return () => window.removeEventListener('keydown', toggle);
  }, []);
  const guests = useGuestsFound(typed, pool ?? (pools.length === 1 ? pools[0]?.id : undefined));
  const commands = [...commandsFor({ typed, pools, bookingSystems, pool, may }), ...guests];
  const close = () => {
    setIsOpen(false);
    setTyped('');
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => (open ? setIsOpen(true) : close())}>
      <Button className={styles.trigger ?? ''} onClick={() => setIsOpen(true)}>
        <SearchIcon />
        <span className="wide-only">Search</span>
        <kbd>Ctrl K</kbd>
      </Button>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className={styles.popup} aria-label="Search">
          <Autocomplete.Root
            open
            inline
            items={commands}
            value={typed}
            onValueChange={setTyped}
            itemToStringValue={({ label }: { label: string }) => label}
            filter={null}
            autoHighlight="always"
          >
            <Autocomplete.Input
              className={styles.input ?? ''}
              placeholder="Search pages, guests, ids or actions"
              autoFocus
            />
            <Autocomplete.List className={styles.commandMenuList ?? ''}>
              {commands.map((command) => (
                <Autocomplete.Item
                  key={command.key}
                  value={command}
                  className={styles.item ?? ''}
                  onClick={() => {
                    close();
                    void navigate(command.target);
                  }}
                >
                  {command.label}
                  <span className="muted">{command.hint}</span>
                </Autocomplete.Item>
              ))}
            </Autocomplete.List>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SearchIcon() {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="7" cy="7" r="4.5" />
      <path d="m10.5 10.5 4 4" />
    </svg>
  );
}
