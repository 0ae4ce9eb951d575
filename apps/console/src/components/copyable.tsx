import { useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import styles from './copyable.module.css';

/** A text that people carry elsewhere, such as an id, with a button that copies it. */
export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
    setTimeout(() => setIsCopied(false), 1_500);
  };
  return (
    <span className={styles.copyable}>
      <code>{text}</code>
      <Button look="quiet" size="small" aria-label={texts.actions.copy(label)} onClick={copy}>
        {isCopied ? texts.actions.copied : texts.actions.copyShort}
      </Button>
    </span>
  );
}
