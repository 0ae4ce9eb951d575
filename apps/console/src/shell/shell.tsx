import { useQuery } from '@tanstack/react-query';
import {
  type ErrorComponentProps,
  Link,
  Navigate,
  Outlet,
  useNavigate,
  useSearch,
} from '@tanstack/react-router';
import { useState } from 'react';
import { poolsQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Card, Page } from '../components/layout.tsx';
import { Empty, Loading, Notice, ProblemNotice } from '../components/notice.tsx';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import { CommandMenu, navItemsFor } from './command-menu.tsx';
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
      <span className="visually-hidden">{texts.fields.pool}</span>
      <select
        value={pool ?? ''}
        onChange={({ target }) =>
          void navigate({ to: '.', search: (search) => ({ ...search, pool: target.value || undefined }) })
        }
      >
        <option value="">{texts.fields.allPools}</option>
        {pools.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Asks for a pool on pages that need one; chooses it automatically if there is only one. */
export function ChoosePool() {
  const { data: pools, error } = useQuery(poolsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (pools === undefined) return <Loading />;
  const [first, ...others] = pools;
  if (first !== undefined && others.length === 0) {
    return <Navigate to="." search={(search) => ({ ...search, pool: first.id })} replace />;
  }
  return (
    <Card title="Choose a pool">
      {pools.length === 0 ? (
        <Empty title={texts.pools.none}>{texts.pools.noneHint}</Empty>
      ) : (
        <ul className={styles.list}>
          {pools.map(({ id, name }) => (
            <li key={id}>
              <Link to="." search={(search) => ({ ...search, pool: id })}>
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
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

/**
 * Replaces a page that failed to render; the frame around it stays. Omits the error's message and stack, which may
 * contain a guest's data. Both ways on reload the document, since its scripts may have been replaced by a new version.
 */
export function ErrorPage({ error }: ErrorComponentProps) {
  const [at] = useState(() => new Date().toISOString());
  const kind = error instanceof Error ? error.name : typeof error;
  return (
    <Page title="This page could not be shown">
      <Notice tone="bad">
        <p>
          An error in the console stopped it. Waivers and deliveries are not affected, and other pages still
          work.
        </p>
        <p>If it happens again, give this to the people who run the service:</p>
        <p>
          <Copyable text={`${at} · ${location.pathname} · ${kind}`} label="error details" />
        </p>
      </Notice>
      <p>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.actions.tryAgain}
        </Button>
      </p>
      <p>
        <a href="/console/">Back to the overview</a>
      </p>
    </Page>
  );
}
