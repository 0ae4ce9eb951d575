import { type ComponentChildren, options } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { verbatim } from '../fields/field.tsx';
import { useSigning } from '../screens/signing-context.ts';
import { languageName } from '../text/formats.ts';

/*
 * A browser that translates the page replaces text nodes by elements of its own. Preact neither changes nor removes
 * those, so they would stand beside the texts of later screens. Therefore no element outlives its text: the text is part
 * of its key, and a new text is a new element, with which goes everything that a translator put into the old one.
 *
 * A text among other children must not be a fragment's but an element's. An element that must outlive its text (a live
 * region, a label around a control) has the text in an element within.
 */

const textOf = (children: ComponentChildren): string => {
  if (Array.isArray(children)) return children.map(textOf).join('');
  return typeof children === 'string' || typeof children === 'number' ? String(children) : '';
};

/** Call it once, before anything is rendered. */
export function keyTexts(): void {
  const former = options.vnode;
  options.vnode = (vnode) => {
    former?.(vnode);
    if (typeof vnode.type !== 'string') return;
    const text = textOf(vnode.props.children);
    if (text !== '') vnode.key = `${vnode.key ?? ''} ${text}`;
  };
}

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

/** Safari and Firefox change texts in place. The page never does. */
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

/** Says in a translated page in which languages the texts to sign are. */
export function TranslationNote() {
  const { words, draft } = useSigning();
  if (draft.translatedAt === undefined) return null;
  const { languages } = draft.form.content;
  return (
    <p class="note translation-note">
      <span>{words.signedLanguages}</span> <bdi {...verbatim}>{languages.map(languageName).join(', ')}</bdi>
    </p>
  );
}
