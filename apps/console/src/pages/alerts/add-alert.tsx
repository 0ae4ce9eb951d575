import { alertEvents } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import type { AlertEvent } from '../../api/resources.ts';
import { SecretOnce } from '../../components/copyable.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { CheckList, ChoiceField, choicesOf, TextField, wordsOf } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../pools/webhook-dialogs.tsx';

type Way = 'webhook' | 'email';

interface Draft extends AuthDraft {
  readonly name: string;
  readonly way: Way;
  readonly url: string;
  readonly email: string;
  readonly events: readonly AlertEvent[];
  readonly pools: string;
}

const emptyDraft: Draft = {
  ...emptyAuth,
  name: '',
  way: 'webhook',
  url: 'https://',
  email: '',
  events: alertEvents,
  pools: '',
};

function bodyOf(draft: Draft) {
  const pools = wordsOf(draft.pools);
  return {
    name: draft.name.trim(),
    events: [...draft.events],
    ...(pools.length === 0 ? {} : { pools }),
    ...(draft.way === 'email'
      ? { email: draft.email.trim() }
      : { url: draft.url.trim(), auth: authOf(draft), signing: true }),
  };
}

export function AddAlert() {
  return (
    <FormButton
      look="primary"
      title={texts.alerts.add}
      initialDraft={emptyDraft}
      submit={(draft) => call('POST', '/v1/admin/alerts', { body: bodyOf(draft) })}
      result={({ signingSecret }) => (
        <>
          <Notice tone="good">{texts.alerts.added}</Notice>
          {signingSecret && <SecretOnce secret={signingSecret} label={texts.webhooks.secret} />}
        </>
      )}
    >
      {({ draft, field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.alerts.nameHint}
            required
            maxLength={200}
            {...field('name')}
          />
          <ChoiceField
            label={texts.alerts.way}
            choices={choicesOf(['webhook', 'email'], texts.alerts.ways)}
            {...field('way')}
          />
          {draft.way === 'email' ? (
            <TextField label={texts.alerts.email} type="email" required {...field('email')} />
          ) : (
            <>
              <TextField label={texts.webhooks.url} type="url" required {...field('url')} />
              <AuthFields draft={draft} field={field} />
            </>
          )}
          <CheckList
            label={texts.alerts.events}
            choices={choicesOf(alertEvents, texts.alertEvents)}
            {...field('events')}
          />
          <TextField
            label={texts.pages.pools}
            hint={texts.alerts.poolsHint}
            {...field('pools', 'pools[0]')}
          />
        </>
      )}
    </FormButton>
  );
}
