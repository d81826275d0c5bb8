/** Whether the service records each change with its id, as its answers tell. */
export class ChangeIds {
	#areHonoured: boolean | undefined;

	/** `undefined`: the answer cannot tell. */
	note(isHonoured: boolean | undefined): void {
		// As with expiry, one answer without it decides for good: the next change may reach the same process or proxy.
		if (isHonoured !== undefined) this.#areHonoured = isHonoured && this.#areHonoured !== false;
	}

	/** `undefined` until an answer tells. */
	get areHonoured(): boolean | undefined {
		return this.#areHonoured;
	}
}

/** A new id. It begins with the time: the service keeps ids in order, and an id at the end costs least. */
export function newChangeId(): string {
	const random = crypto.getRandomValues(new Uint8Array(8));
	return Date.now().toString(36) + Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
