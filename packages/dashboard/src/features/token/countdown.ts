/** What is left until the previous token is dead everywhere. */
export interface Countdown {
	/** Whole seconds, rounded up: 0 only when the time has come. */
	readonly secondsLeft: number;
	/** Whether the server that answers refuses the token already. Others may accept it until the countdown ends. */
	readonly isExpired: boolean;
}

/** `expires` and `dead` are the server's, and so is `nowMs`. */
export function countdownOf(previous: { readonly expires: string; readonly dead: string }, nowMs: number): Countdown {
	return {
		secondsLeft: Math.max(0, Math.ceil((Date.parse(previous.dead) - nowMs) / 1000)),
		isExpired: nowMs >= Date.parse(previous.expires),
	};
}

/** Like `4:05`. */
export function clockText(seconds: number): string {
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The seconds that a screen reader is told: each change is spoken, so there are few. */
export function spokenSeconds(secondsLeft: number): number {
	const step = secondsLeft > 60 ? 60 : secondsLeft > 10 ? 30 : 10;
	return Math.ceil(secondsLeft / step) * step;
}
