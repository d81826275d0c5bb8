import { setTimeout } from 'node:timers/promises';

/** Waits until the check passes, a few seconds at most. */
export async function eventually<Result>(check: () => Promise<Result>, limitMs = 5000): Promise<Result> {
	const giveUpAt = performance.now() + limitMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > giveUpAt) throw error;
			await setTimeout(20);
		}
	}
}
