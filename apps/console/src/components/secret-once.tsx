import { texts } from '../text/english.ts';
import { Copyable } from './copyable.tsx';
import { Notice } from './notice.tsx';

export function SecretOnce({ secret, label }: { readonly secret: string; readonly label: string }) {
  return (
    <Notice tone="warning" title={texts.secrets.once}>
      <Copyable text={secret} label={label} />
    </Notice>
  );
}
