/**
 * More than there are requests in progress, so that an id is forgotten only after its request has ended.
 * @bound Ids of answers that are remembered: the oldest is forgotten.
 */
const MOST_REMEMBERED = 1_024;

/** The request ids of the last answers. Each request has its own, so a repeated id belongs to an earlier request. */
export class SeenAnswers {
	readonly #requestIds = new Set<string>();

	/** Whether an earlier answer had this id. Remembers the id. */
	isRepeated(requestId: string): boolean {
		if (this.#requestIds.has(requestId)) return true;
		this.#requestIds.add(requestId);
		const [oldest] = this.#requestIds;
		if (this.#requestIds.size > MOST_REMEMBERED && oldest !== undefined) this.#requestIds.delete(oldest);
		return false;
	}
}
