import assert from 'node:assert/strict';

/** Throws unless the call rejects with an error of this class, which `look` accepts. */
export function rejectsWith<Expected extends Error>(
	call: Promise<unknown>,
	expected: new (...args: never[]) => Expected,
	look: (error: Expected) => void,
): Promise<void> {
	return assert.rejects(call, (error) => {
		assert.ok(error instanceof expected, String(error));
		look(error);
		return true;
	});
}
