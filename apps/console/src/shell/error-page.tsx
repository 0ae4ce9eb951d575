import type { ErrorComponentProps } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../components/button.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Page } from '../components/layout.tsx';
import { Notice } from '../components/notice.tsx';
import { texts } from '../text/english.ts';

/**
 * Replaces a page that failed to render; the frame around it stays. Omits the error's message and stack, which may
 * contain a guest's data. Both ways on reload the document, since its scripts may have been replaced by a new version.
 */
export function ErrorPage({ error }: ErrorComponentProps) {
  const [at] = useState(() => new Date().toISOString());
  const kind = error instanceof Error ? error.name : typeof error;
  return (
    <Page title="This page could not be shown">
      <Notice tone="bad">
        <p>
          An error in the console stopped it. Waivers and deliveries are not affected, and other pages still
          work.
        </p>
        <p>If it happens again, give this to the people who run the service:</p>
        <p>
          <Copyable text={`${at} · ${location.pathname} · ${kind}`} label="error details" />
        </p>
      </Notice>
      <p>
        <Button look="primary" onClick={() => location.reload()}>
          {texts.actions.tryAgain}
        </Button>
      </p>
      <p>
        <a href="/console/">Back to the overview</a>
      </p>
    </Page>
  );
}
