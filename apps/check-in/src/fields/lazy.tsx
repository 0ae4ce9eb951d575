import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useSigning } from '../screens/signing-context.ts';

/** A component whose script is loaded when it is first rendered. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return (props: Props) => {
    const { words } = useSigning();
    const [Component, setComponent] = useState(() => loaded);
    const [isFailed, setFailed] = useState(false);
    const start = () => {
      setFailed(false);
      load().then(
        (component) => {
          loaded = component;
          setComponent(() => component);
        },
        () => setFailed(true),
      );
    };
    useEffect(() => {
      if (Component === undefined) start();
    }, []);
    if (Component !== undefined) return <Component {...props} />;
    if (!isFailed) return <p class="help">{words.loading}</p>;
    return (
      <button type="button" class="secondary" onClick={start}>
        {words.trouble.offlineAtStart.title}. {words.trouble.tryAgain}
      </button>
    );
  };
}
