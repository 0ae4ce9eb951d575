import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Notice } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { texts } from '../text/english.ts';

/**
 * Replaces a page that failed to render; the frame around it stays. Omits the error's message and stack, which may
 * contain a guest's data. Both ways on reload the document, since its scripts may have been replaced by a new version.
 */
export function ErrorPage({ error }: ErrorComponentProps) {
  const [at] = useState(() => new Date().toISOString());
  const kind = error instanceof Error ? error.name : typeof error;
  return (
    <Page title={texts.failure.title}>
      <Notice tone="bad">
        <p>{texts.failure.lead}</p>
        <p>{texts.failure.report}</p>
        <p>
          <Copyable text={`${at} · ${location.pathname} · ${kind}`} label={texts.failure.details} />
        </p>
      </Notice>
      <p>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.actions.tryAgain}
        </Button>
      </p>
      <p>
        <a href="/console/">{texts.failure.back}</a>
      </p>
    </Page>
  );
}
