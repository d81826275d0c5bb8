import { setTimeout } from 'node:timers/promises';

/** Repeats the check until it passes. After `limitMs`, or once it is hopeless, rejects with the last error. */
export async function eventually<Result>(
	check: () => Promise<Result>,
	limitMs = 60_000,
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
