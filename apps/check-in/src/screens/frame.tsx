import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { directionOf } from '../text/languages.ts';
import type { Words } from '../text/words.ts';
import { setDocumentLanguage } from '../translation/use-translated.ts';
import { WaitingLine } from './waiting-line.tsx';

interface FrameProps {
  /** The screen's name: when it changes, the heading gets the focus. */
  readonly screen: string;
  readonly words: Words;
  readonly language: string;
  readonly title: string;
  readonly header?: ComponentChildren;
  readonly progress?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Whether the page has shown no screen yet. */
let isFirst = true;

export function Frame({ screen, words, language, title, header, progress, children }: FrameProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    setDocumentLanguage(language);
    document.documentElement.dir = directionOf(language);
    document.title = title;
  }, [language, title]);
  useEffect(() => {
    // Not on first load, when a screen reader starts at the top anyway.
    if (!isFirst) {
      scrollTo(0, 0);
      // The preview must not take the focus from the console around it.
      if (parent === window || document.hasFocus()) heading.current?.focus({ preventScroll: true });
    }
    isFirst = false;
  }, [screen]);
  return (
    <>
      {header}
      <main>
        {progress}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <WaitingLine words={words} />
        {children}
      </main>
    </>
  );
}
