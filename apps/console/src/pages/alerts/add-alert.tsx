import { alertEvents } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { alertsQuery } from '../../api/queries.ts';
import type { AlertEvent } from '../../api/resources.ts';
import { type AuthDraft, AuthFields, authOf, emptyAuth } from '../../components/auth-fields.tsx';
import { CheckList } from '../../components/check-list.tsx';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

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
      queryKey={alertsQuery.queryKey}
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
            choices={(['webhook', 'email'] as const).map((way) => [way, texts.alerts.ways[way]] as const)}
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
            choices={alertEvents.map((event) => [event, texts.alertEvents[event]] as const)}
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
