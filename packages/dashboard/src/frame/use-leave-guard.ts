import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';
import { guardHistory } from './history-guard.ts';

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
	const tryToLeave = useEffectEvent(onTry);
	useEffect(() => (isOn ? guardHistory(() => tryToLeave()) : undefined), [isOn]);

	useWindowEvent('beforeunload', (event) => {
		if (isOn) event.preventDefault();
	});
	// The browser may keep a page that was left, with all that it holds.
	useWindowEvent('pagehide', () => {
		if (isOn) onLeave();
	});
}
