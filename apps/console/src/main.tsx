import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './api/client.ts';
import { Toasts } from './components/notice.tsx';
import { router } from './router.tsx';
import { SignedIn } from './session/session.tsx';
import { ErrorPage, showStoredTheme } from './shell/shell.tsx';
import { giveLibrariesTheLocale } from './text/formats.ts';
import './styles/base.css';

const maxRetries = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Only network errors are worth retrying: the host would refuse again.
      retry: (failures, error) =>
        failures < maxRetries && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      staleTime: 2_000,
    },
  },
});

const justOpenedMs = 10_000;

// A page that stays open through an upgrade asks for scripts of its version, which are no longer there. One that was just
// opened has the host's version already: reloading it again would not help.
addEventListener('vite:preloadError', () => {
  if (performance.now() > justOpenedMs) location.reload();
});

const element = document.querySelector('#root');
if (element === null) throw new Error('the page has no element #root');
giveLibrariesTheLocale();
showStoredTheme();
createRoot(element).render(
  <StrictMode>
    <CatchBoundary getResetKey={() => 0} errorComponent={ErrorPage}>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <Toasts>
            <SignedIn>
              <RouterProvider router={router} />
            </SignedIn>
          </Toasts>
        </QueryClientProvider>
      </CSPProvider>
    </CatchBoundary>
  </StrictMode>,
);
