import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import type { Role } from '../api/resources.ts';
import { Button } from '../components/button.tsx';
import { LiveBadge, useLiveUpdates } from '../live/live-updates.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import { CommandMenu } from './command-menu.tsx';
import { PoolChoice } from './pool-choice.tsx';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.tsx';

interface Destination {
  readonly to: string;
  readonly label: string;
  readonly role?: Role;
}

const destinations: readonly Destination[] = [
  { to: '/', label: texts.pages.overview },
  { to: '/bookings', label: texts.pages.bookings },
  { to: '/waivers', label: texts.pages.waivers },
  { to: '/deliveries', label: texts.pages.deliveries },
  { to: '/destinations', label: texts.pages.destinations },
  { to: '/pools', label: texts.pages.pools },
  { to: '/booking-systems', label: texts.pages.bookingSystems },
  { to: '/alerts', label: texts.pages.alerts },
  { to: '/people', label: texts.pages.people, role: 'owner' },
  { to: '/audit', label: texts.pages.audit, role: 'operator' },
];

/** The frame of every page: navigation, the choice of a pool, search, and who is signed in. */
export function Shell() {
  const { me, may, signOut } = useSession();
  useLiveUpdates();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.shell.skip}
      </a>
      <header className={styles.top}>
        <Button
          look="quiet"
          className={styles.menuButton ?? ''}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setIsOpen(!isOpen)}
        >
          {texts.shell.menu}
        </Button>
        <PoolChoice />
        <LiveBadge />
        <CommandMenu />
      </header>
      <nav
        id="navigation"
        aria-label={texts.shell.navigation}
        className={`${styles.side} ${isOpen ? styles.open : ''}`}
      >
        <p className={styles.product}>{texts.product}</p>
        <ul>
          {destinations
            .filter(({ role = 'viewer' }) => may(role))
            .map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  search={({ pool }) => ({ pool })}
                  className={styles.link ?? ''}
                  activeProps={{ className: styles.current ?? '' }}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={() => setIsOpen(false)}
                >
                  {label}
                </Link>
              </li>
            ))}
        </ul>
        <div className={styles.person}>
          <a href="/docs">{texts.shell.api}</a>
          <ThemeChoice />
          <p>
            <strong>{me.name}</strong>
            <br />
            <span className="muted">{texts.roles[me.role]}</span>
          </p>
          <Button size="small" onClick={() => void signOut()}>
            {texts.shell.signOut}
          </Button>
        </div>
      </nav>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
