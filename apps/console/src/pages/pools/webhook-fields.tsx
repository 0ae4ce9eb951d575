import type { ReactNode } from 'react';
import type { AuthDraft } from '../../components/auth-fields.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import type { FormState } from '../../components/form-dialog.tsx';
import { texts } from '../../text/english.ts';

/** A webhook while it is typed. */
export interface WebhookDraft extends AuthDraft {
  readonly url: string;
  readonly properties: string;
  readonly signing: 'yes' | 'no';
}

interface WebhookFieldsProps extends FormState<WebhookDraft> {
  readonly signingHint: string;
  /** The fields of its authentication. */
  readonly children: ReactNode;
}

/** The fields of a webhook. */
export function WebhookFields({ draft, change, errorOf, signingHint, children }: WebhookFieldsProps) {
  return (
    <>
      <TextField
        label={texts.webhooks.url}
        type="url"
        required
        value={draft.url}
        onChange={(url) => change({ url })}
        error={errorOf('url')}
      />
      {children}
      <TextField
        label={texts.webhooks.properties}
        hint={texts.webhooks.propertiesHint}
        value={draft.properties}
        onChange={(properties) => change({ properties })}
      />
      <ChoiceField
        label={texts.webhooks.signing}
        hint={signingHint}
        value={draft.signing}
        choices={[
          ['yes', texts.actions.yes],
          ['no', texts.actions.no],
        ]}
        onChange={(signing) => change({ signing })}
      />
    </>
  );
}
