import { texts } from '../text/english.ts';
import { ChoiceField, TextField } from './field.tsx';
import type { FormState } from './form-dialog.tsx';

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
        choices={(['none', 'header', 'basic'] as const).map(
          (type) => [type, texts.webhooks.authTypes[type]] as const,
        )}
        {...field('authType')}
      />
      {authType === 'none' ? null : (
        <>
          <TextField
            label={texts.webhooks.nameOf[authType]}
            required
            autoComplete="off"
            {...field('authName', 'auth.name', 'auth.username')}
          />
          <TextField
            label={texts.webhooks.secretOf[authType]}
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
