import { texts } from '../text/english.ts';
import { ChoiceField, TextField } from './field.tsx';

type AuthType = 'none' | 'header' | 'basic';

/** How requests to a receiver authenticate, while it is typed. */
export interface AuthDraft {
  readonly authType: AuthType;
  /** The header's name, or the user's. */
  readonly authName: string;
  /** The header's value, or the password. */
  readonly authSecret: string;
}

export const emptyAuth: AuthDraft = { authType: 'none', authName: '', authSecret: '' };

/** As the API takes it. */
export function authOf({ authType, authName: name, authSecret }: AuthDraft) {
  if (authType === 'header') return { type: 'header', name, value: authSecret } as const;
  if (authType === 'basic') return { type: 'basic', username: name, password: authSecret } as const;
  return { type: 'none' } as const;
}

interface AuthFieldsProps {
  readonly draft: AuthDraft;
  readonly change: (changes: Partial<AuthDraft>) => void;
  readonly errorOf: (path: string) => string | undefined;
}

/** The fields of a receiver's authentication. */
export function AuthFields({ draft, change, errorOf }: AuthFieldsProps) {
  const { authType, authName, authSecret } = draft;
  return (
    <>
      <ChoiceField
        label={texts.webhooks.auth}
        value={authType}
        choices={(['none', 'header', 'basic'] as const).map(
          (type) => [type, texts.webhooks.authTypes[type]] as const,
        )}
        onChange={(type) => change({ authType: type })}
      />
      {authType === 'none' ? null : (
        <>
          <TextField
            label={texts.webhooks.nameOf[authType]}
            required
            autoComplete="off"
            value={authName}
            onChange={(name) => change({ authName: name })}
            error={errorOf('auth.name') ?? errorOf('auth.username')}
          />
          <TextField
            label={texts.webhooks.secretOf[authType]}
            required
            type="password"
            autoComplete="off"
            value={authSecret}
            onChange={(secret) => change({ authSecret: secret })}
            error={errorOf('auth.value') ?? errorOf('auth.password')}
          />
        </>
      )}
    </>
  );
}
