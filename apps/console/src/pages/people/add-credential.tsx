import { api } from '../../api/client.ts';
import { credentialsQuery, dataOf } from '../../api/queries.ts';
import type { Role } from '../../api/resources.ts';
import { endOfDay } from '../../components/days.ts';
import { ChoiceField, TextField } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { texts } from '../../text/english.ts';

interface Draft {
  readonly name: string;
  readonly role: Role;
  readonly pools: string;
  /** As the browser's date field has it: `2027-06-12`. */
  readonly lastDay: string;
}

const emptyDraft: Draft = { name: '', role: 'operator', pools: '', lastDay: '' };
const roles = ['owner', 'operator', 'viewer'] as const satisfies readonly Role[];

function bodyOf({ name, role, pools, lastDay }: Draft) {
  const named = wordsOf(pools);
  return {
    name: name.trim(),
    role,
    ...(role === 'owner' || named.length === 0 ? {} : { pools: named }),
    ...(lastDay === '' ? {} : { expiresAt: endOfDay(lastDay) }),
  };
}

interface AddCredentialProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes a credential, and shows its token this once. */
export function AddCredential({ isOpen, onClose }: AddCredentialProps) {
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.people.add}
      initialDraft={emptyDraft}
      submit={(draft) => dataOf(api.POST('/v1/admin/credentials', { body: bodyOf(draft) }))}
      queryKey={credentialsQuery.queryKey}
      result={({ token }) => <SecretOnce secret={token} label={texts.signIn.token} />}
    >
      {({ draft, change, errorOf }) => (
        <>
          <TextField
            label={texts.fields.name}
            hint={texts.people.nameHint}
            required
            maxLength={200}
            value={draft.name}
            onChange={(name) => change({ name })}
            error={errorOf('name')}
          />
          <ChoiceField
            label={texts.people.role}
            hint={texts.people.roleHints[draft.role]}
            value={draft.role}
            choices={roles.map((role) => [role, texts.roles[role]] as const)}
            onChange={(role) => change({ role })}
          />
          {draft.role === 'owner' ? null : (
            <TextField
              label={texts.pages.pools}
              hint={texts.people.poolsHint}
              value={draft.pools}
              onChange={(pools) => change({ pools })}
              error={errorOf('pools') ?? errorOf('pools[0]')}
            />
          )}
          <TextField
            label={texts.people.lastDay}
            hint={texts.people.lastDayHint}
            type="date"
            value={draft.lastDay}
            onChange={(lastDay) => change({ lastDay })}
            error={errorOf('expiresAt')}
          />
        </>
      )}
    </FormDialog>
  );
}
