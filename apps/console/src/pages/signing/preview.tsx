import { useQuery } from '@tanstack/react-query';
import type { FormContent, FormPreview } from '@waiver-service/forms';
import { useCallback, useEffect, useRef, useState } from 'react';
import { poolsQuery } from '../../api/queries.ts';
import { Card } from '../../components/layout.tsx';
import { formsTexts } from '../../text/english/forms.ts';
import styles from './forms.module.css';

interface PreviewProps {
  readonly pool: string;
  readonly content: FormContent;
  /** The id of the page to show. */
  readonly page?: string | undefined;
}

/** The real check-in page in a phone-sized frame: it gets the form by `postMessage` and sends nothing to the host. */
export function Preview({ pool, content, page }: PreviewProps) {
  const { data: pools } = useQuery(poolsQuery);
  const poolName = pools?.find(({ id }) => id === pool)?.name ?? pool;
  const frame = useRef<HTMLIFrameElement>(null);
  const [chosen, setChosen] = useState<string>();
  const { languages } = content;
  const language = chosen !== undefined && languages.includes(chosen) ? chosen : (languages[0] ?? 'en');
  const show = useCallback(() => {
    const message: FormPreview = { kind: 'form-preview', content, language, page, poolName };
    frame.current?.contentWindow?.postMessage(message, location.origin);
  }, [content, language, page, poolName]);
  useEffect(() => {
    const receive = ({ source, origin, data }: MessageEvent) => {
      if (source !== frame.current?.contentWindow || origin !== location.origin) return;
      if (data.kind === 'form-preview-ready') show();
      if (data.kind === 'form-preview-language') setChosen(String(data.language));
    };
    addEventListener('message', receive);
    show();
    return () => removeEventListener('message', receive);
  }, [show]);
  return (
    <Card title={formsTexts.preview}>
      <div className={styles.preview}>
        <iframe ref={frame} className={styles.phone} src="/check-in/preview" title={formsTexts.preview} />
        <p className="muted">The page as guests see it. Nothing that you enter there is sent.</p>
      </div>
    </Card>
  );
}
