import { useState } from 'react';
import { texts } from '../text/english.ts';
import styles from './theme-choice.module.css';

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

export function ThemeChoice() {
  const [chosen, setChosen] = useState(() => themeOf(document.documentElement.dataset.theme));
  const choose = (theme: Theme) => {
    store(theme);
    show(theme);
    setChosen(theme);
  };
  return (
    <fieldset className={styles.choice}>
      <legend className="visually-hidden">{texts.shell.theme}</legend>
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
