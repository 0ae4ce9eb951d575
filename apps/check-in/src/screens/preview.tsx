import type { FormContent, FormPreview } from '@waiver-service/forms';
import { useEffect, useState } from 'preact/hooks';
import type { Draft } from '../draft/draft.ts';
import { newDraft, signingForChoices, withSigningFor } from '../draft/people.ts';
import { type CheckInSession, serviceNow } from '../host/calls.ts';
import { loadPageTexts, type PageTexts } from '../text/words.ts';
import { Signing } from './signing.tsx';

/** A session as of a desk link to the form, today. */
const sessionOf = ({ poolName, content }: FormPreview): CheckInSession => ({
  pool: { name: poolName },
  link: { kind: 'desk', expiresAt: null },
  booking: null,
  guests: [],
  day: { date: serviceNow().toISOString().slice(0, 10), activities: content.activities },
  form: { form: 'preview', version: 1, hash: '', content },
  sealing: { id: '', publicKey: '' },
});

/** Moves a draft's entries to an edited form. */
function withContent(draft: Draft, content: FormContent, language: string): Draft {
  const choices = signingForChoices(content);
  const [first = 'self'] = choices;
  const edited = { ...draft, language, form: { ...draft.form, content } };
  return choices.includes(draft.signingFor) ? edited : withSigningFor(edited, first);
}

/** Shows a screen without a history entry: the history is the console's. */
function showScreen(id: string): void {
  history.replaceState({}, '', `#${encodeURIComponent(id)}`);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** A form being edited in the console, which frames this page and posts messages to it. Nothing is sent to the host. */
export function Preview() {
  const [shown, setShown] = useState<FormPreview>();
  const [draft, setDraft] = useState<Draft>();
  const [texts, setTexts] = useState<PageTexts>();

  useEffect(() => {
    // Navigation here must not add to the console's history.
    history.pushState = (_state, unused, url) => history.replaceState({}, unused, url);
    const receive = ({ source, origin, data }: MessageEvent<FormPreview>) => {
      if (source !== parent || origin !== location.origin || data.kind !== 'form-preview') return;
      setShown(data);
      setDraft((now = newDraft(sessionOf(data), [data.language], new Date())) =>
        withContent(now, data.content, data.language),
      );
    };
    addEventListener('message', receive);
    parent.postMessage({ kind: 'form-preview-ready' }, location.origin);
    return () => removeEventListener('message', receive);
  }, []);

  const language = shown?.language;
  useEffect(() => {
    if (language === undefined) return;
    void loadPageTexts(language).then(setTexts);
  }, [language]);

  const page = shown?.page;
  const isReady = draft !== undefined && texts !== undefined;
  useEffect(() => {
    if (!isReady || page === undefined) return;
    // Deferred until the screens, which mount together with this effect, listen to `popstate`.
    const timer = setTimeout(() => showScreen(`page-${page}`));
    return () => clearTimeout(timer);
  }, [isReady, page]);

  if (shown === undefined || draft === undefined || texts === undefined) return null;
  const session = sessionOf(shown);
  return (
    <Signing
      key={draft.self.key}
      delivery={undefined}
      session={session}
      words={texts.words}
      sentences={texts.sentences}
      draft={draft}
      change={(update) => setDraft((now) => now && update(now))}
      isKept
      isOnlineOnly={false}
      onLanguage={async (chosen) =>
        parent.postMessage({ kind: 'form-preview-language', language: chosen }, location.origin)
      }
      onSigned={() => undefined}
      onStartAgain={() => setDraft(newDraft(session, [texts.language], new Date()))}
    />
  );
}
