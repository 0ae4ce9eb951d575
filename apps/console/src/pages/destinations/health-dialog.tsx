import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { healthWindows } from '../../api/choices.ts';
import { destinationHealthQuery } from '../../api/queries.ts';
import type { Destination, HealthWindow } from '../../api/resources.ts';
import { Chart, throughputSeries } from '../../components/chart.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { nameOfDestination } from '../deliveries/destination-name.tsx';
import { bucketsOf, sumOf } from './health-buckets.ts';

interface HealthDialogProps {
  readonly destination: Destination;
  readonly onClose: () => void;
}

export function HealthDialog({ destination, onClose }: HealthDialogProps) {
  const { id, pool } = destination;
  const [window, setWindow] = useState<HealthWindow>('24h');
  const { data, error, refetch } = useQuery(destinationHealthQuery(pool, window));
  const buckets = useMemo(() => data && bucketsOf(data, id), [data, id]);
  const series = useMemo(() => throughputSeries(buckets?.delivered ?? [], buckets?.failed ?? []), [buckets]);
  return (
    <Dialog
      onClose={onClose}
      title={texts.destinations.health}
      lead={texts.destinations.healthLead(nameOfDestination(destination))}
    >
      <ChoiceField
        label={texts.filters.period}
        value={window}
        choices={healthWindows.map((one) => [one, texts.periods[one]] as const)}
        onChange={setWindow}
      />
      <ProblemNotice error={error} retry={() => void refetch()} />
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
