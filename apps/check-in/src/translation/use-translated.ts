import { useEffect, useState } from 'preact/hooks';

/** The language that the page last said it is in. */
let ownLanguage: string | undefined;

/** Sets the document's language: one that differs later was set by a translator. */
export function setDocumentLanguage(language: string): void {
  ownLanguage = language;
  document.documentElement.lang = language;
}

/** The marks that translators leave: Chrome and most extensions, Edge, Yandex. The page itself has no such element. */
const marks = 'font, [_msttexthash], [_msthash], [_istranslated], ya-tr-span';

function hasMarks(): boolean {
  const { classList, lang } = document.documentElement;
  return (
    classList.contains('translated-ltr') ||
    classList.contains('translated-rtl') ||
    (ownLanguage !== undefined && lang !== ownLanguage) ||
    document.querySelector(marks) !== null
  );
}

/** Safari and Firefox change texts in place. The page never does: see keyed-texts.ts. */
const isForeign = ({ type, target, removedNodes }: MutationRecord): boolean =>
  type === 'characterData' ||
  (target.isConnected && [...removedNodes].some((node) => node instanceof Text && node.data.trim() !== ''));

/** Whether something has translated the page, or changed its texts, since this was first rendered. */
export function useTranslated(): boolean {
  const [isTranslated, setTranslated] = useState(hasMarks);
  useEffect(() => {
    if (isTranslated) return;
    const look = (changes: readonly MutationRecord[]) => {
      if (hasMarks() || changes.some(isForeign)) setTranslated(true);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, characterData: true, subtree: true });
    observer.observe(document.documentElement, { attributeFilter: ['class', 'lang'] });
    look([]);
    return () => observer.disconnect();
  }, [isTranslated]);
  return isTranslated;
}
