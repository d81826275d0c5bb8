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

/** Stays at the address of now until the function that it answers is called. */
export function guardHistory(next: HistoryGuard): () => void {
	guard = next;
	guardedAddress = window.location.href;
	return () => {
		if (guard === next) guard = undefined;
	};
}
