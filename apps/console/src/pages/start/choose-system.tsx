import { useQuery } from '@tanstack/react-query';
import { bookingSystemQuery, bookingSystemsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Copyable } from '../../components/copyable.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Loading, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { SettingsForm } from '../booking-systems/settings-form.tsx';
import styles from './start-page.module.css';

interface ChooseSystemProps {
  readonly chosen: string | undefined;
  readonly onChoose: (installName: string | undefined) => void;
  /** Called when the chosen system needs no more settings. */
  readonly onReady: () => void;
}

/** The choice of a booking system, and the settings that all its installations share. */
export function ChooseSystem({ chosen, onChoose, onReady }: ChooseSystemProps) {
  const { data: systems, error } = useQuery(bookingSystemsQuery);
  if (error !== null) return <ProblemNotice error={error} />;
  if (systems === undefined) return <Loading />;
  return (
    <>
      <ChoiceField
        label={texts.start.system.choose}
        value={chosen ?? ''}
        choices={[
          ['', texts.start.system.notChosen],
          ...systems.map(({ installName, displayName }) => [installName, displayName] as const),
        ]}
        onChange={(name) => onChoose(name === '' ? undefined : name)}
      />
      {chosen === undefined ? <Sandbox /> : <Settings key={chosen} name={chosen} onReady={onReady} />}
    </>
  );
}

function Settings({ name, onReady }: { readonly name: string; readonly onReady: () => void }) {
  const { data: system, error } = useQuery(bookingSystemQuery(name));
  if (error !== null) return <ProblemNotice error={error} />;
  if (system === undefined) return <Loading />;
  return (
    <>
      <SettingsForm system={system} />
      {system.configured ? (
        <p>
          {system.settingsSet.length === 0 && system.baseUrl === null ? `${texts.start.system.ready} ` : null}
          <Button look="primary" onClick={onReady}>
            {texts.start.system.goOn}
          </Button>
        </p>
      ) : null}
    </>
  );
}

function Sandbox() {
  const { title, lead, service, system, next, labelOfService, labelOfSystem } = texts.start.sandbox;
  return (
    <Card title={title}>
      <div className={styles.body}>
        <p>{lead}</p>
        <span className={styles.command}>
          <Copyable text={service} label={labelOfService} />
        </span>
        <span className={styles.command}>
          <Copyable text={system} label={labelOfSystem} />
        </span>
        <p>{next}</p>
      </div>
    </Card>
  );
}
