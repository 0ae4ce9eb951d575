import { useState } from 'react';
import { call } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/resources.ts';
import { AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { FormDialog, type FormState } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

interface Draft extends WebhookDraft {
  /** Stored credentials cannot be read, only kept or replaced. */
  readonly credentials: 'keep' | 'replace';
}

const draftOf = ({ url, auth, properties, signing }: Webhook): Draft => ({
  url,
  ...emptyAuth,
  authType: auth.type,
  authName: auth.name ?? '',
  credentials: 'keep',
  properties: properties.join(', '),
  signing: signing ? 'yes' : 'no',
});

/** Whether the URL has changed, so that stored credentials must be entered again. */
const needsCredentials = ({ url, auth }: Webhook, draft: Draft): boolean =>
  auth.type !== 'none' && draft.url.trim() !== url;

function keepsAuth(webhook: Webhook, draft: Draft): boolean {
  if (webhook.auth.type === 'none') return draft.authType === 'none';
  return draft.credentials === 'keep' && !needsCredentials(webhook, draft);
}

/** Only the changed fields, to keep another person's concurrent changes to the rest. */
function changesOf(webhook: Webhook, draft: Draft) {
  const former = draftOf(webhook);
  const url = draft.url.trim();
  return {
    ...(url === webhook.url ? {} : { url }),
    ...(keepsAuth(webhook, draft) ? {} : { auth: authOf(draft) }),
    ...(draft.properties === former.properties ? {} : { properties: wordsOf(draft.properties) }),
    ...(draft.signing === former.signing ? {} : { signing: draft.signing === 'yes' }),
  };
}

interface EditWebhookProps {
  readonly onClose: () => void;
  readonly onChanged: (webhook: Webhook) => void;
  readonly pool: string;
  readonly webhook: Webhook;
}

/** Edits a webhook; if signing was turned on, shows its signing secret once. */
export function EditWebhook({ onClose, onChanged, pool, webhook: current }: EditWebhookProps) {
  // As of when the form was opened: the list may be refreshed meanwhile.
  const [webhook] = useState(current);
  return (
    <FormDialog
      onClose={onClose}
      title={texts.webhooks.editTitle}
      submitLabel={texts.actions.save}
      lead={texts.webhooks.editLead}
      initialDraft={draftOf(webhook)}
      isComplete={(draft) => Object.keys(changesOf(webhook, draft)).length > 0}
      submit={async (draft) => {
        const changed = await call('PATCH', '/v1/admin/pools/:pool/webhooks/:id', {
          params: { pool, id: webhook.id },
          body: changesOf(webhook, draft),
        });
        onChanged(changed);
        return changed;
      }}
      queryKey={webhooksQuery(pool).queryKey}
      done={texts.webhooks.changed}
      result={({ signingSecret }) =>
        signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />
      }
    >
      {(form) => (
        <WebhookFields
          {...form}
          signingHint={
            webhook.signing && form.draft.signing === 'no'
              ? texts.webhooks.signingStops
              : texts.webhooks.signingHint
          }
        >
          <StoredAuthFields {...form} webhook={webhook} />
        </WebhookFields>
      )}
    </FormDialog>
  );
}

interface StoredAuthFieldsProps extends FormState<Draft> {
  readonly webhook: Webhook;
}

/** Keeps or replaces the stored credentials; only replaces them if they may not be kept. */
function StoredAuthFields({ webhook, ...form }: StoredAuthFieldsProps) {
  const { draft, field } = form;
  const isNeeded = needsCredentials(webhook, draft);
  return (
    <>
      {isNeeded ? (
        <Notice tone="warning" isAnnounced>
          {texts.webhooks.credentialsNeeded}
        </Notice>
      ) : null}
      {isNeeded || webhook.auth.type === 'none' ? null : (
        <ChoiceField
          label={texts.webhooks.credentials}
          choices={[
            ['keep', texts.webhooks.keepCredentials(texts.webhooks.authOf(webhook.auth))],
            ['replace', texts.webhooks.replaceCredentials],
          ]}
          {...field('credentials')}
        />
      )}
      {webhook.auth.type !== 'none' && keepsAuth(webhook, draft) ? null : <AuthFields {...form} />}
    </>
  );
}
