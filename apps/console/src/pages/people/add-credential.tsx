import { roles } from '../../api/choices.ts';
import { call } from '../../api/client.ts';
import type { Role } from '../../api/resources.ts';
import { SecretOnce } from '../../components/copyable.tsx';
import { FormButton } from '../../components/dialog.tsx';
import { ChoiceField, choicesOf, LastDayField, TextField, wordsOf } from '../../components/field.tsx';
import { texts } from '../../text/english.ts';
import { endOfDay } from '../../text/formats.ts';

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly pools: string;
  /** A date field's value: `2027-06-12`. */
  readonly lastDay: string;
}

const roleHints: Readonly<Record<Role, string>> = {
  owner: 'Everything.',
  operator: 'Everything in its pools, except people, install keys and booking system settings.',
  viewer: 'Reads its pools without guests’ data.',
};

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
      title="Add person"
      initialDraft={emptyDraft}
      submit={(draft) => call('POST', '/v1/admin/credentials', { body: bodyOf(draft) })}
      result={({ token }) => <SecretOnce secret={token} label="Token" />}
    >
      {({ draft, field }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint="Shown in the audit log."
            required
            maxLength={200}
            {...field('name')}
          />
          <ChoiceField
            label="Role"
            hint={roleHints[draft.role]}
            choices={choicesOf(roles, texts.roles)}
            {...field('role')}
          />
          {draft.role === 'owner' ? null : (
            <TextField
              label={texts.pages.pools}
              hint="Pool ids, separated by commas. Leave empty for all."
              {...field('pools', 'pools[0]')}
            />
          )}
          <LastDayField {...field('lastDay', 'expiresAt')} />
        </>
      )}
    </FormButton>
  );
}
