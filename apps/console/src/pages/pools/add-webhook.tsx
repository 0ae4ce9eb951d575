import { call } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import { AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';
import { type WebhookDraft, WebhookFields } from './webhook-fields.tsx';

const emptyDraft: WebhookDraft = {
  url: 'https://',
  ...emptyAuth,
  properties: '',
  signing: 'yes',
};

const bodyOf = (draft: WebhookDraft) => ({
  url: draft.url.trim(),
  auth: authOf(draft),
  properties: wordsOf(draft.properties),
  signing: draft.signing === 'yes',
});

export function AddWebhook({ pool }: { readonly pool: string }) {
  return (
    <FormButton
      size="small"
      title={texts.webhooks.add}
      lead={texts.webhooks.addLead}
      initialDraft={emptyDraft}
      submit={(draft) =>
        call('POST', '/v1/admin/pools/:pool/webhooks', { params: { pool }, body: bodyOf(draft) })
      }
      queryKey={webhooksQuery(pool).queryKey}
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">{texts.webhooks.added}</Notice>
          {signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />}
        </>
      )}
    >
      {(form) => (
        <WebhookFields {...form} signingHint={texts.webhooks.signingHint}>
          <AuthFields {...form} />
        </WebhookFields>
      )}
    </FormButton>
  );
}
