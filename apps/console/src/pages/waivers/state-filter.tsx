import { useNavigate } from '@tanstack/react-router';
import { type ListedState, listedStates } from '../../api/choices.ts';
import { FilterChoice } from '../../components/filters.tsx';
import { texts } from '../../text/english.ts';

/** Filters waivers by state; the choice is kept in the URL. */
export function StateFilter({ state }: { readonly state: ListedState | undefined }) {
  const navigate = useNavigate({ from: '/waivers' });
  return (
    <FilterChoice
      label={texts.fields.state}
      anyLabel={texts.waivers.anyState}
      value={state}
      choices={listedStates.map((one) => [one, texts.waiverStates[one]] as const)}
      onChange={(chosen) =>
        void navigate({ search: (former) => ({ ...former, state: chosen }), state: true, replace: true })
      }
    />
  );
}
