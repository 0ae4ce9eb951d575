import { useRef, useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { copyOrSelect } from './copy-or-select.ts';
import styles from './copyable.module.css';

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
      <Button look="quiet" size="small" aria-label={texts.actions.copy(label)} onClick={copy}>
        {texts.actions[result ?? 'copyShort']}
      </Button>
    </span>
  );
}
