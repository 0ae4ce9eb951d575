import { type ReactNode, useRef, useState } from 'react';
import { call } from '../../api/client.ts';
import type { Webhook } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { copyOrSelect, JsonView, SecretOnce } from '../../components/copyable.tsx';
import { Dialog, FormButton, FormDialog, type FormState } from '../../components/dialog.tsx';
import { ChoiceField, choicesIn, TextField, wordsOf } from '../../components/field.tsx';
import { Notice, useToast } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { type SnippetLanguage, signatureSnippets, snippetLanguages } from '../../text/signature-snippets.ts';

type AuthType = 'none' | 'header' | 'basic';

/** How requests to a webhook receiver authenticate, as typed so far. */
export interface AuthDraft {
  readonly authType: AuthType;
  /** The header's name, or the username. */
  readonly authName: string;
  /** The header's value, or the password. */
  readonly authSecret: string;
}

export const emptyAuth: AuthDraft = { authType: 'none', authName: '', authSecret: '' };

export function authOf({ authType, authName: name, authSecret }: AuthDraft) {
  if (authType === 'header') return { type: 'header', name, value: authSecret } as const;
  if (authType === 'basic') return { type: 'basic', username: name, password: authSecret } as const;
  return { type: 'none' } as const;
}

export function AuthFields({ draft: { authType }, field }: FormState<AuthDraft>) {
  return (
    <>
      <ChoiceField
        label={texts.webhooks.auth}
        choices={choicesIn({ none: 'None', header: 'Header', basic: 'Basic' })}
        {...field('authType')}
      />
      {authType === 'none' ? null : (
        <>
          <TextField
            label={authType === 'header' ? 'Header name' : 'User name'}
            required
            autoComplete="off"
            {...field('authName', 'auth.name', 'auth.username')}
          />
          <TextField
            label={authType === 'header' ? 'Header value' : 'Password'}
            required
            type="password"
            autoComplete="off"
            {...field('authSecret', 'auth.value', 'auth.password')}
          />
        </>
      )}
    </>
  );
}

interface WebhookDraft extends AuthDraft {
  readonly url: string;
  readonly properties: string;
  readonly signing: 'yes' | 'no';
}

interface WebhookFieldsProps extends FormState<WebhookDraft> {
  readonly signingHint: string;
  readonly children: ReactNode;
}

function WebhookFields({ field, signingHint, children }: WebhookFieldsProps) {
  return (
    <>
      <TextField label="URL" type="url" required {...field('url')} />
      {children}
      <TextField
        label={texts.webhooks.properties}
        hint="Names of answers, separated by commas. Leave empty to send none."
        {...field('properties')}
      />
      <ChoiceField
        label="Sign messages"
        hint={signingHint}
        choices={choicesIn({ yes: texts.actions.yes, no: texts.actions.no })}
        {...field('signing')}
      />
    </>
  );
}

const signingHint = 'With a secret that is shown once (Standard Webhooks).';

const emptyDraft: WebhookDraft = { url: 'https://', ...emptyAuth, properties: '', signing: 'yes' };

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
      title="Add webhook"
      lead="Each change to a waiver of this pool is sent to it."
      initialDraft={emptyDraft}
      submit={(draft) =>
        call('POST', '/v1/admin/pools/:pool/webhooks', { params: { pool }, body: bodyOf(draft) })
      }
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">Webhook added.</Notice>
          {signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />}
        </>
      )}
    >
      {(form) => (
        <WebhookFields {...form} signingHint={signingHint}>
          <AuthFields {...form} />
        </WebhookFields>
      )}
    </FormButton>
  );
}

interface ChangedDraft extends WebhookDraft {
  /** Stored credentials cannot be read, only kept or replaced. */
  readonly credentials: 'keep' | 'replace';
}

const draftOf = ({ url, auth, properties, signing }: Webhook): ChangedDraft => ({
  url,
  ...emptyAuth,
  authType: auth.type,
  authName: auth.name ?? '',
  credentials: 'keep',
  properties: properties.join(', '),
  signing: signing ? 'yes' : 'no',
});

/** Whether the URL has changed, so that stored credentials must be entered again. */
const needsCredentials = ({ url, auth }: Webhook, draft: ChangedDraft): boolean =>
  auth.type !== 'none' && draft.url.trim() !== url;

function keepsAuth(webhook: Webhook, draft: ChangedDraft): boolean {
  if (webhook.auth.type === 'none') return draft.authType === 'none';
  return draft.credentials === 'keep' && !needsCredentials(webhook, draft);
}

/** Only the changed fields, to keep another person's concurrent changes to the rest. */
function changesOf(webhook: Webhook, draft: ChangedDraft) {
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
      title="Edit webhook"
      submitLabel={texts.actions.save}
      lead="Waiting messages are sent to the new URL, without the answers that are removed here. Answers that are added are only in later messages."
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
      done="Webhook changed."
      result={({ signingSecret }) =>
        signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />
      }
    >
      {(form) => (
        <WebhookFields
          {...form}
          signingHint={
            webhook.signing && form.draft.signing === 'no'
              ? 'Messages will not be signed, and the secret will be deleted.'
              : signingHint
          }
        >
          <StoredAuthFields {...form} webhook={webhook} />
        </WebhookFields>
      )}
    </FormDialog>
  );
}

interface StoredAuthFieldsProps extends FormState<ChangedDraft> {
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
          Stored credentials are not sent to another URL. Enter them again, or choose None.
        </Notice>
      ) : null}
      {isNeeded || webhook.auth.type === 'none' ? null : (
        <ChoiceField
          label="Credentials"
          choices={choicesIn({ keep: `Keep (${texts.webhooks.authOf(webhook.auth)})`, replace: 'Replace' })}
          {...field('credentials')}
        />
      )}
      {webhook.auth.type !== 'none' && keepsAuth(webhook, draft) ? null : <AuthFields {...form} />}
    </>
  );
}

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
      title="Verify a signature"
      lead="For the receiver, without a library. Use the secret that was last shown: when signing was turned on, or when the secret was rotated."
      action={
        <Button look="primary" onClick={copy}>
          {texts.actions.copy}
        </Button>
      }
    >
      <ChoiceField
        label="Language"
        value={language}
        choices={snippetLanguages.map((one) => [one, one] as const)}
        onChange={setLanguage}
      />
      <JsonView ref={shown} value={snippet} label="Verify a signature" />
    </Dialog>
  );
}
