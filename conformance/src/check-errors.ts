/** The service breaks the rule. */
export class RuleFailure extends Error {
	override readonly name = 'RuleFailure';
	readonly expected: string;
	readonly actual: string;

	/** `message` names what was checked. */
	constructor(message: string, expected: string, actual: string) {
		super(message);
		this.expected = expected;
		this.actual = actual;
	}
}

/** The suite cannot find out whether the service keeps the rule. The message says why. */
export class NotTestable extends Error {
	override readonly name = 'NotTestable';
}

/** The run is stopping and makes no more calls. */
export class Interrupted extends Error {
	override readonly name = 'Interrupted';
}
