import { tokenTexts } from './texts.ts';

/** What is left of the previous token, in whole seconds, rounded up: 0 only when the time has come. */
interface Countdown {
	/** From then on, only processes that are cut off accept it. */
	readonly secondsUntilExpiry: number;
	/** From then on no process accepts it, and a new rotation is possible. */
	readonly secondsUntilRotation: number;
}

/** `expires` and `dead` are the server's, and so is `nowMs`. */
export function countdownOf(previous: { readonly expires: string; readonly dead: string }, nowMs: number): Countdown {
	return {
		secondsUntilExpiry: secondsUntil(previous.expires, nowMs),
		secondsUntilRotation: secondsUntil(previous.dead, nowMs),
	};
}

function secondsUntil(time: string, nowMs: number): number {
	return Math.max(0, Math.ceil((Date.parse(time) - nowMs) / 1000));
}

/** Like `4:05`. */
export function clockText(seconds: number): string {
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** What a screen reader is told of the time that is left. */
export function spokenText(secondsLeft: number): string {
	const seconds = spokenSeconds(secondsLeft);
	return seconds < 60 ? tokenTexts.spokenSeconds(seconds) : tokenTexts.spokenMinutes(seconds / 60);
}

/** The seconds that a screen reader is told: each change is spoken, so there are few. */
export function spokenSeconds(secondsLeft: number): number {
	const step = secondsLeft > 60 ? 60 : secondsLeft > 10 ? 30 : 10;
	return Math.ceil(secondsLeft / step) * step;
}

/** Until when programs must have the new token. */
export function deadlineText(secondsUntilExpiry: number): string {
	return secondsUntilExpiry === 0
		? tokenTexts.previousExpired
		: tokenTexts.previousWorks(clockText(secondsUntilExpiry));
}
