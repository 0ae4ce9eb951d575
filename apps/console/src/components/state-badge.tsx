import type { DeliveryState, Destination } from '../api/resources.ts';
import { texts } from '../text/english.ts';
import { Badge, type Tone } from './badge.tsx';

const toneOfDelivery: Readonly<Record<DeliveryState, Tone>> = {
  waiting: 'warning',
  sending: 'warning',
  delivered: 'good',
  dead: 'bad',
  held: 'warning',
  superseded: 'neutral',
  cancelled: 'neutral',
};

export function DeliveryBadge({ state }: { readonly state: DeliveryState }) {
  return <Badge tone={toneOfDelivery[state]}>{texts.deliveryStates[state]}</Badge>;
}

export function DestinationBadge({ destination }: { readonly destination: Destination }) {
  const { status, consecutiveFailures, installationStatus } = destination;
  if (installationStatus === 'needs_attention' || installationStatus === 'pending') {
    return (
      <Badge tone={installationStatus === 'pending' ? 'warning' : 'bad'}>
        {texts.destinations.installationStatuses[installationStatus]}
      </Badge>
    );
  }
  if (status === 'paused') return <Badge tone="warning">{texts.destinationStates.paused}</Badge>;
  if (status === 'closed') return <Badge>{texts.destinationStates.closed}</Badge>;
  return consecutiveFailures > 0 ? (
    <Badge tone="bad">{texts.destinationStates.failing}</Badge>
  ) : (
    <Badge tone="good">{texts.destinationStates.working}</Badge>
  );
}
