import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { listenForHistory } from './secrets/leave-guard.ts';

/** Draws the pages. `nonce` is the one of this page's content security policy. */
export function start(nonce: string): void {
	listenForHistory();
	const root = document.getElementById('root');
	if (!root) throw new Error('the page has no root element');
	createRoot(root).render(<App nonce={nonce} />);
}
