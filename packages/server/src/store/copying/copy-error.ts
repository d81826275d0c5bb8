/** Thrown if a store cannot be copied or opened. `code` is for scripts, the message for people. */
export class CopyError extends Error {
	override readonly name = 'CopyError';
	readonly code: string;

	constructor(code: string, message: string) {
		super(message);
		this.code = code;
	}
}
