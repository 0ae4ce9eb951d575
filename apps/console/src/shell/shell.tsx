import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { poolsQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import { CommandMenu } from './command-menu.tsx';
import { navItemsFor } from './pages.ts';
import styles from './shell.module.css';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const storageKey = 'waiver-console-theme';

const themeOf = (value: string | null | undefined): Theme =>
  themes.find((theme) => theme === value) ?? 'system';

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function showStoredTheme(): void {
  try {
    show(themeOf(localStorage.getItem(storageKey)));
  } catch {
    // No storage: keep the system's theme.
  }
}

function store(theme: Theme): void {
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // No storage: the choice lasts until the page is reloaded.
  }
}

function ThemeChoice() {
  const [chosen, setChosen] = useState(() => themeOf(document.documentElement.dataset.theme));
  const choose = (theme: Theme) => {
    store(theme);
    show(theme);
    setChosen(theme);
  };
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">Theme</legend>
      {themes.map((theme) => (
        <label key={theme}>
          <input
            type="radio"
            name="theme"
            className="visually-hidden"
            checked={theme === chosen}
            onChange={() => choose(theme)}
          />
          <span>{texts.themes[theme]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Chooses the pool, or names the only one. It is part of the URL, so that a shared link shows the same page. */
function PoolChoice() {
  const { data: pools = [] } = useQuery(poolsQuery);
  const { pool } = useSearch({ strict: false });
  const navigate = useNavigate();
  const [first, ...others] = pools;
  if (others.length === 0 && (pool === undefined || pool === first?.id)) {
    return <span className={styles.only}>{first?.name}</span>;
  }
  return (
    <label className={styles.poolChoiceChoice}>
      <span className="visually-hidden">{texts.shell.pool}</span>
      <select
        value={pool ?? ''}
        onChange={({ target }) =>
          void navigate({ to: '.', search: (search) => ({ ...search, pool: target.value || undefined }) })
        }
      >
        <option value="">{texts.shell.allPools}</option>
        {pools.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The frame of every page: navigation, pool choice, search, and who is signed in. */
export function Shell() {
  const { me, may, signOut } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.top}>
        <Button
          look="quiet"
          className={styles.menuButton ?? ''}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setIsOpen(!isOpen)}
        >
          Menu
        </Button>
        <PoolChoice />
        <CommandMenu />
      </header>
      <nav id="navigation" aria-label="Pages" className={`${styles.side} ${isOpen ? styles.open : ''}`}>
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
          <a href="/docs">HTTP API</a>
          <ThemeChoice />
          <p>
            <strong>{me.name}</strong>
            <br />
            <span className="muted">{texts.roles[me.role]}</span>
          </p>
          <Button size="small" onClick={() => void signOut()}>
            Sign out
          </Button>
        </div>
      </nav>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
