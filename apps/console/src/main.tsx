import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiProblem } from './api/problem.ts';
import { Toasts } from './components/toasts.tsx';
import { router } from './router.tsx';
import { SignedIn } from './session/session.tsx';
import { showStoredTheme } from './shell/theme-choice.tsx';
import './styles/tokens.css';
import './styles/base.css';

const maxRetries = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal would only be repeated; a host that could not be reached may be there in a moment.
      retry: (failures, error) =>
        failures < maxRetries && error instanceof ApiProblem && (error.status === 0 || error.status >= 500),
      staleTime: 2_000,
    },
  },
});

const element = document.querySelector('#root');
if (element === null) throw new Error('the page has no element #root');
showStoredTheme();
createRoot(element).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <Toasts>
          <SignedIn>
            <RouterProvider router={router} />
          </SignedIn>
        </Toasts>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
