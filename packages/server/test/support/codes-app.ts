import { generateSync } from 'otplib';

const STEP_SECONDS = 30;

/** An app for one-time codes. */
export interface CodesApp {
	/**
	 * A code that was not used before. The service accepts a code half a minute before its time, so two calls can follow
	 * each other at once. Throws if that is not enough.
	 */
	next(): string;
}

/** `secret` is in base32. */
export function createCodesApp(secret: string): CodesApp {
	let lastStep = 0;
	return {
		next() {
			const present = Math.floor(Date.now() / 1000 / STEP_SECONDS);
			const step = Math.max(present, lastStep + 1);
			if (step > present + 1) throw new Error('these codes were all used: use a recovery code');
			lastStep = step;
			return generateSync({ secret, epoch: step * STEP_SECONDS });
		},
	};
}
