import { useState } from 'react';
import { texts } from '../text/english.ts';
import styles from './theme-choice.module.css';

const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const storageKey = 'waiver-console-theme';

function storedTheme(): Theme {
  return themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system';
}

function show(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Shows the theme that was chosen here before. */
export function showStoredTheme(): void {
  show(storedTheme());
}

/** Light, dark, or as the system has it. */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(storedTheme);
  const choose = (theme: Theme) => {
    localStorage.setItem(storageKey, theme);
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
