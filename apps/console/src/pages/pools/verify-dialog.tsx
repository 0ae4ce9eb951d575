import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { copyOrSelect } from '../../components/copy-or-select.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { JsonView } from '../../components/json-view.tsx';
import { useToast } from '../../components/toasts.tsx';
import { texts } from '../../text/english.ts';
import { type SnippetLanguage, signatureSnippets, snippetLanguages } from '../../text/signature-snippets.ts';

export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js');
  const shown = useRef<HTMLElement>(null);
  const toast = useToast();
  const snippet = signatureSnippets[language];
  const copy = async () => {
    toast(texts.actions[(await copyOrSelect(snippet, shown.current)) ? 'copied' : 'selected']);
  };
  return (
    <Dialog
      onClose={onClose}
      isWide
      title={texts.webhooks.verifyTitle}
      lead={texts.webhooks.verifyLead}
      action={
        <Button look="primary" onClick={copy}>
          {texts.actions.copyShort}
        </Button>
      }
    >
      <ChoiceField
        label={texts.webhooks.language}
        value={language}
        choices={snippetLanguages.map((one) => [one, one] as const)}
        onChange={setLanguage}
      />
      <JsonView ref={shown} value={snippet} label={texts.webhooks.verifyTitle} />
    </Dialog>
  );
}
