import { useSyncExternalStore } from 'react';
import { serverNowMs } from './server-clock.ts';

/** The time by the server's clock, in Unix milliseconds. It moves in steps, and the component is drawn again at each. */
export function useServerNow(stepMs: number): number {
	return useSyncExternalStore(
		(onStep) => {
			const timer = setInterval(onStep, stepMs);
			return () => clearInterval(timer);
		},
		() => Math.floor(serverNowMs() / stepMs) * stepMs,
	);
}
