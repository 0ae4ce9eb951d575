import { render } from 'preact';
import { App } from './screens/app.tsx';
import { ErrorBoundary, Failure } from './screens/frame.tsx';
import { takeOver } from './service-worker/take-over.ts';
import { keyTexts } from './translation/translation.tsx';
import './styles/base.css';
import './styles/frame.css';
import './styles/questions.css';

keyTexts();
const element = document.querySelector('#root');
if (element === null) throw new Error('the page has no element #root');
// `/check-in/{token}`
const [, , token = ''] = location.pathname.split('/');
const load = async () => {
  if (token === 'preview' && parent !== window) {
    const { Preview } = await import('./screens/preview.tsx');
    return <Preview />;
  }
  if (token === 'kiosk') {
    const { Kiosk } = await import('./kiosk/kiosk.tsx');
    return <Kiosk />;
  }
  return <App token={token} />;
};
takeOver()
  .then(load)
  .then((content) => render(<ErrorBoundary>{content}</ErrorBoundary>, element))
  .catch(() => render(<Failure />, element));
