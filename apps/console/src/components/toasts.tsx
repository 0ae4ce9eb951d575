import { Toast } from '@base-ui/react/toast';
import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import styles from './toasts.module.css';

export function useToast(): (message: string) => void {
  const manager = Toast.useToastManager();
  return (message) => {
    manager.add({ title: message });
  };
}

function ToastList() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles.toast}>
      <Toast.Content className={styles.content}>
        {/* A title, not a description: screen readers need a name for the toast. */}
        <Toast.Title render={<p />} />
        <Toast.Close className={styles.close} aria-label={texts.actions.close}>
          ×
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}

export function Toasts({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider timeout={5_000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className={styles.viewport}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}
