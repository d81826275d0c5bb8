import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

interface LeaveGuard {
	/** Whether leaving would lose something. */
	readonly isOn: boolean;
	/** Called instead of going back or forward within the dashboard. */
	readonly onTry: () => void;
	/** Called when the page goes away nevertheless. */
	readonly onLeave: () => void;
}

/** Asks before the tab is closed or reloaded, and stops the browser's buttons for back and forward. */
export function useLeaveGuard({ isOn, onTry, onLeave }: LeaveGuard): void {
	const [address] = useState(() => window.location.href);

	useWindowEvent('beforeunload', (event) => {
		if (isOn) event.preventDefault();
	});
	// The browser may keep a page that was left, with all that it holds.
	useWindowEvent('pagehide', () => {
		if (isOn) onLeave();
	});
	// The router listens too. It must not see that the address was another one for a moment.
	useWindowEvent(
		'popstate',
		(event) => {
			if (!isOn) return;
			event.stopImmediatePropagation();
			window.history.pushState(null, '', address);
			onTry();
		},
		{ capture: true },
	);
}
