import { useNavigate } from '@tanstack/react-router';
import { ChoiceField } from '../../components/field.tsx';
import { texts } from '../../text/english.ts';
import { type ListedState, listedStates } from './listed-states.ts';

const choices: readonly (readonly [ListedState | '', string])[] = [
  ['', texts.waivers.anyState],
  ...listedStates.map((state) => [state, texts.waiverStates[state]] as const),
];

/** Which state the listed waivers have, in the address. */
export function StateFilter({ state }: { readonly state: ListedState | undefined }) {
  const navigate = useNavigate({ from: '/waivers' });
  return (
    <ChoiceField
      label={texts.fields.state}
      value={state ?? ''}
      choices={choices}
      onChange={(chosen) =>
        void navigate({
          search: (former) => ({ ...former, state: chosen === '' ? undefined : chosen }),
          state: true,
          replace: true,
        })
      }
    />
  );
}
