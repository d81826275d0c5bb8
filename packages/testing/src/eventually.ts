import { setTimeout } from 'node:timers/promises';

/** Waits until the check passes. Gives up, with what it said last, after a few seconds, or once it cannot pass any more. */
export async function eventually<Result>(
	check: () => Promise<Result>,
	limitMs = 5000,
	isHopeless = () => false,
): Promise<Result> {
	const giveUpAt = performance.now() + limitMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (isHopeless() || performance.now() > giveUpAt) throw error;
			await setTimeout(20);
		}
	}
}
