import type { ReactNode } from 'react';
import type { AuthDraft } from '../../components/auth-fields.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import type { FormState } from '../../components/form-dialog.tsx';
import { texts } from '../../text/english.ts';

export interface WebhookDraft extends AuthDraft {
  readonly url: string;
  readonly properties: string;
  readonly signing: 'yes' | 'no';
}

interface WebhookFieldsProps extends FormState<WebhookDraft> {
  readonly signingHint: string;
  readonly children: ReactNode;
}

export function WebhookFields({ field, signingHint, children }: WebhookFieldsProps) {
  return (
    <>
      <TextField label={texts.webhooks.url} type="url" required {...field('url')} />
      {children}
      <TextField
        label={texts.webhooks.properties}
        hint={texts.webhooks.propertiesHint}
        {...field('properties')}
      />
      <ChoiceField
        label={texts.webhooks.signing}
        hint={signingHint}
        choices={[
          ['yes', texts.actions.yes],
          ['no', texts.actions.no],
        ]}
        {...field('signing')}
      />
    </>
  );
}
