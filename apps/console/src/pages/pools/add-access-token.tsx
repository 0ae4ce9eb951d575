import { api } from '../../api/client.ts';
import { accessTokensQuery, dataOf } from '../../api/queries.ts';
import { type TokenScope, tokenScopes } from '../../api/resources.ts';
import { CheckList } from '../../components/check-list.tsx';
import { endOfDay } from '../../components/days.ts';
import { TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { texts } from '../../text/english.ts';

interface Draft {
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** As the browser's date field has it: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', scopes: tokenScopes, lastDay: '' };

const bodyOf = ({ name, scopes, lastDay }: Draft) => ({
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  // In the order of the list, whatever the order of ticking.
  scopes: tokenScopes.filter((scope) => scopes.includes(scope)),
  ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
});

export function AddAccessToken({ pool }: { readonly pool: string }) {
  return (
    <FormButton
      size="small"
      title={texts.accessTokens.add}
      initialDraft={emptyDraft}
      isComplete={({ scopes }) => scopes.length > 0}
      submit={(draft) =>
        dataOf(
          api.POST('/v1/admin/pools/{pool}/access-tokens', {
            params: { path: { pool } },
            body: bodyOf(draft),
          }),
        )
      }
      queryKey={accessTokensQuery(pool).queryKey}
      result={({ token }) => <SecretOnce secret={token} label={texts.accessTokens.secret} />}
    >
      {({ field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.accessTokens.nameHint}
            maxLength={200}
            {...field('name')}
          />
          <CheckList
            label={texts.accessTokens.rights}
            choices={tokenScopes.map((scope) => [scope, ...texts.accessTokens.scopes[scope]] as const)}
            {...field('scopes')}
          />
          <TextField
            label={texts.people.lastDay}
            hint={texts.people.lastDayHint}
            type="date"
            {...field('lastDay', 'expiresAt')}
          />
        </>
      )}
    </FormButton>
  );
}
