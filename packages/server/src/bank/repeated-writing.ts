import { setTimeout as delay } from 'node:timers/promises';

/** For how long the rest is tried again at the end, in milliseconds: another process may have held a row. */
const END_MS = 1_000;
const RETRY_MS = 50;

/** Something that is written again and again until it is closed. */
export interface RepeatedWriting {
	/** Writes the rest. */
	close(): Promise<void>;
}

/** Calls `write` at an interval, and never twice at once. It resolves to whether nothing is left, and never rejects. */
export function writeRepeatedly(write: () => Promise<boolean>, intervalMs: number): RepeatedWriting {
	let writing: Promise<unknown> | undefined;
	const timer = setInterval(() => {
		writing ??= write().finally(() => {
			writing = undefined;
		});
	}, intervalMs);
	timer.unref();

	return {
		async close() {
			clearInterval(timer);
			const giveUpAtMs = performance.now() + END_MS;
			await writing;
			while (!(await write()) && performance.now() < giveUpAtMs) await delay(RETRY_MS);
		},
	};
}
