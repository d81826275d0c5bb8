import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useEffectEvent } from 'react';

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

/** What happens instead of going back or forward. */
type HistoryGuard = () => void;

let guard: HistoryGuard | undefined;
let guardedAddress = '';

/**
 * Lets a component stop the browser's buttons for back and forward. Call it before the router listens: a window calls its
 * listeners in the order in which they came.
 */
export function listenForHistory(): void {
	window.addEventListener('popstate', (event) => {
		if (!guard) return;
		event.stopImmediatePropagation();
		window.history.pushState(null, '', guardedAddress);
		guard();
	});
}

/** Stays at the present address until the function that it answers is called. */
function guardHistory(next: HistoryGuard): () => void {
	guard = next;
	guardedAddress = window.location.href;
	return () => {
		if (guard === next) guard = undefined;
	};
}
