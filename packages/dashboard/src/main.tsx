import './styles.ts';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { listenForHistory } from './secrets/leave-guard.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
// The scroll lock of dialogs makes style elements of its own.
setNonce(nonce);
listenForHistory();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');
createRoot(root).render(<App nonce={nonce} />);
