import { type Ref, useRef, useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './controls.module.css';
import { Notice } from './notice.tsx';

/**
 * Copies a text. Without clipboard access, as for a page over plain HTTP on a local network, selects the shown text
 * instead, for the person to copy.
 *
 * @returns whether it was copied
 */
export async function copyOrSelect(text: string, shown: Element | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    if (shown !== null) getSelection()?.selectAllChildren(shown);
    return false;
  }
}

/** A text to copy elsewhere, such as an id, with a button that does so. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [result, setResult] = useState<'copied' | 'selected'>();
  const shown = useRef<HTMLElement>(null);
  const copy = async () => {
    setResult((await copyOrSelect(text, shown.current)) ? 'copied' : 'selected');
    setTimeout(() => setResult(undefined), 1_500);
  };
  return (
    <span className={styles.copyable}>
      <code ref={shown}>{text}</code>
      <Button look="quiet" size="small" aria-label={`Copy ${label}`} onClick={copy}>
        {texts.actions[result ?? 'copy']}
      </Button>
    </span>
  );
}

/** A fact for `Facts`: a text to copy elsewhere, under its label; left out if there is none. */
export const copyableFact = (label: string, text: string | null, hint?: string) => ({
  [label]:
    text === null ? undefined : (
      <>
        <Copyable text={text} label={label} />
        {hint && (
          <>
            <br />
            <span className="muted">{hint}</span>
          </>
        )}
      </>
    ),
});

export function SecretOnce({ secret, label }: { readonly secret: string; readonly label: string }) {
  return (
    <Notice tone="warning" title={texts.secrets.once}>
      <Copyable text={secret} label={label} />
    </Notice>
  );
}

interface JsonViewProps {
  readonly value: unknown;
  readonly label: string;
  readonly ref?: Ref<HTMLElement>;
}

/** Indented JSON, or a string verbatim; markup in it is not interpreted. */
export function JsonView({ value, label, ref }: JsonViewProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={ref} className={styles.json} tabIndex={0} aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </section>
  );
}
