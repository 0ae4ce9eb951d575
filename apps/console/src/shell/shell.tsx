import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import { CommandMenu } from './command-menu.tsx';
import { navItemsFor } from './pages.ts';
import { PoolChoice } from './pool-choice.tsx';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.tsx';

/** The frame of every page: navigation, pool choice, search, and who is signed in. */
export function Shell() {
  const { me, may, signOut } = useSession();
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
        <CommandMenu />
      </header>
      <nav
        id="navigation"
        aria-label={texts.shell.navigation}
        className={`${styles.side} ${isOpen ? styles.open : ''}`}
      >
        <p className={styles.product}>{texts.product}</p>
        <ul>
          {navItemsFor(may).map(({ path, label }) => (
            <li key={path}>
              <Link
                to={path}
                search={({ pool }) => ({ pool })}
                className={styles.link ?? ''}
                activeProps={{ className: styles.current ?? '' }}
                activeOptions={{ exact: path === '/', includeSearch: false }}
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
