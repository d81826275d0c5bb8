/** The service did something else than the rule says. */
export class RuleFailure extends Error {
	override readonly name = 'RuleFailure';
	readonly expected: string;
	readonly actual: string;

	/** `message` says what was looked at. */
	constructor(message: string, expected: string, actual: string) {
		super(message);
		this.expected = expected;
		this.actual = actual;
	}
}

/** Whether the service keeps the rule cannot be learned here; the message says why. */
export class NotTestable extends Error {
	override readonly name = 'NotTestable';
}

/** The run is being stopped: no further call may be made. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}
