import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { destinationHealthQuery } from '../../api/queries.ts';
import type { Destination, HealthWindow } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Chart, type Series } from '../../components/chart.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { nameOfDestination } from '../deliveries/destination-name.tsx';
import { bucketsOf, sumOf } from './health-buckets.ts';

const windows = ['24h', '7d'] as const satisfies readonly HealthWindow[];

interface HealthDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

/** How a destination fares, as a chart. */
export function HealthDialog({ destination, onClose }: HealthDialogProps) {
  const { id, pool } = destination;
  const [window, setWindow] = useState<HealthWindow>('24h');
  const { data, error, refetch } = useQuery(destinationHealthQuery(pool, window));
  const buckets = useMemo(() => data && bucketsOf(data, id), [data, id]);
  const series = useMemo<readonly Series[]>(
    () => [
      {
        label: texts.overview.delivered,
        color: '--good',
        values: buckets?.delivered ?? [],
        isFilled: true,
      },
      { label: texts.overview.failedAttempts, color: '--bad', values: buckets?.failed ?? [] },
    ],
    [buckets],
  );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.destinations.health}
      lead={texts.destinations.healthLead(nameOfDestination(destination))}
      footer={<Button onClick={onClose}>{texts.actions.close}</Button>}
    >
      <ChoiceField
        label={texts.filters.period}
        value={window}
        choices={windows.map((one) => [one, texts.periods[one]] as const)}
        onChange={setWindow}
      />
      {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
      {buckets === undefined ? (
        <Loading />
      ) : (
        <Chart
          summary={texts.overview.throughputSummary(sumOf(buckets.delivered), sumOf(buckets.failed))}
          times={buckets.times}
          series={series}
        />
      )}
    </Dialog>
  );
}
