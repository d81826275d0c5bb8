/** More than requests are under way at once, so that what is forgotten is certainly over. */
const MOST_REMEMBERED = 1_024;

/** The request ids of the last answers. The service gives each request its own, so one that comes twice is of an earlier request. */
export class SeenAnswers {
	readonly #requestIds = new Set<string>();

	/** Whether an earlier answer had that id. Remembers it. */
	isRepeated(requestId: string): boolean {
		if (this.#requestIds.has(requestId)) return true;
		this.#requestIds.add(requestId);
		const [oldest] = this.#requestIds;
		if (this.#requestIds.size > MOST_REMEMBERED && oldest !== undefined) this.#requestIds.delete(oldest);
		return false;
	}
}
