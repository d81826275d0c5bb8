/** Whether the service records each change with its id, as its answers tell. */
export class ChangeIds {
	#areHonoured: boolean | undefined;

	/** `undefined`: the answer cannot tell. */
	note(isHonoured: boolean | undefined): void {
		// As for expiry, one answer without it decides for good: the next change may meet that process or proxy.
		if (isHonoured !== undefined) this.#areHonoured = isHonoured && this.#areHonoured !== false;
	}

	/** `undefined` until an answer tells. */
	get areHonoured(): boolean | undefined {
		return this.#areHonoured;
	}
}

/** A new id. It begins with the time, because the service keeps ids in order, and adds at the end most cheaply. */
export function newChangeId(): string {
	const random = crypto.getRandomValues(new Uint8Array(8));
	return Date.now().toString(36) + Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
