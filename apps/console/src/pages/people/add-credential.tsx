import { roles } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import { credentialsQuery } from '../../api/queries.ts';
import type { Role } from '../../api/resources.ts';
import { endOfDay } from '../../components/days.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { FormButton } from '../../components/form-dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly pools: string;
  /** A date field's value: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', role: 'operator', pools: '', lastDay: '' };

function bodyOf({ name, role, pools, lastDay }: Draft) {
  const named = wordsOf(pools);
  return {
    name: name.trim(),
    role,
    ...(role === 'owner' || named.length === 0 ? {} : { pools: named }),
    ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
  };
}

export function AddCredential() {
  return (
    <FormButton
      look="primary"
      title={texts.people.add}
      initialDraft={emptyDraft}
      submit={(draft) => call('POST', '/v1/admin/credentials', { body: bodyOf(draft) })}
      queryKey={credentialsQuery.queryKey}
      result={({ token }) => <SecretOnce secret={token} label={texts.signIn.token} />}
    >
      {({ draft, field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.people.nameHint}
            required
            maxLength={200}
            {...field('name')}
          />
          <ChoiceField
            label={texts.people.role}
            hint={texts.people.roleHints[draft.role]}
            choices={roles.map((role) => [role, texts.roles[role]] as const)}
            {...field('role')}
          />
          {draft.role === 'owner' ? null : (
            <TextField
              label={texts.pages.pools}
              hint={texts.people.poolsHint}
              {...field('pools', 'pools[0]')}
            />
          )}
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
