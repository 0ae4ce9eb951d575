import { api } from '../../api/client.ts';
import { dataOf, webhooksQuery } from '../../api/queries.ts';
import { AddDialog } from '../../components/add-dialog.tsx';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

interface Draft extends AuthDraft {
  readonly url: string;
  readonly properties: string;
  readonly signing: 'yes' | 'no';
}

const emptyDraft: Draft = {
  url: 'https://',
  ...emptyAuth,
  properties: '',
  signing: 'yes',
};

const bodyOf = (draft: Draft) => ({
  url: draft.url.trim(),
  auth: authOf(draft),
  properties: wordsOf(draft.properties),
  signing: draft.signing === 'yes',
});

interface AddWebhookProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly pool: string;
}

/** Adds a webhook, and shows its signing secret this once. */
export function AddWebhook({ isOpen, onClose, pool }: AddWebhookProps) {
  return (
    <AddDialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.webhooks.add}
      lead={texts.webhooks.addLead}
      emptyDraft={emptyDraft}
      add={(draft) =>
        dataOf(
          api.POST('/v1/admin/pools/{pool}/webhooks', { params: { path: { pool } }, body: bodyOf(draft) }),
        )
      }
      queryKey={webhooksQuery(pool).queryKey}
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">{texts.webhooks.added}</Notice>
          {signingSecret === undefined ? null : (
            <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />
          )}
        </>
      )}
    >
      {({ draft, change, errorOf }) => (
        <>
          <TextField
            label={texts.webhooks.url}
            type="url"
            required
            value={draft.url}
            onChange={(url) => change({ url })}
            error={errorOf('url')}
          />
          <AuthFields draft={draft} change={change} errorOf={errorOf} />
          <TextField
            label={texts.webhooks.properties}
            hint={texts.webhooks.propertiesHint}
            value={draft.properties}
            onChange={(properties) => change({ properties })}
          />
          <ChoiceField
            label={texts.webhooks.signing}
            hint={texts.webhooks.signingHint}
            value={draft.signing}
            choices={[
              ['yes', texts.actions.yes],
              ['no', texts.actions.no],
            ]}
            onChange={(signing) => change({ signing })}
          />
        </>
      )}
    </AddDialog>
  );
}
