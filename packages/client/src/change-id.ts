/**
 * A new id for a change: 24 of `a-z 0-9`. It begins with the time: the service keeps ids in order, and an id at the end
 * costs least. A program that journals its changes writes the id to its journal before it sends the change.
 */
export function newChangeId(): string {
	const random = crypto.getRandomValues(new Uint8Array(8));
	return Date.now().toString(36) + Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
