import { keepNewest } from '../../server/keep-newest.ts';

/** @bound An answer that took a heavy read is kept: then it is read again. */
const ANSWER_LIFE_MS = 5 * 60_000;
/**
 * How long a failed read is not tried again, in milliseconds: it may be what keeps the store busy.
 * @bound A heavy read that failed is not tried again: until then, the failure is the answer.
 */
const FAILURE_LIFE_MS = 60_000;
/** @bound Answers that are kept by default: the oldest are forgotten. */
const MAX_ANSWERS = 1_000;

/** The answer of a read, or why it failed. */
interface CachedRead<Answer> {
	readonly readAtMs: number;
	readonly lifeMs: number;
	readonly answer?: { readonly value: Answer };
	readonly cause?: unknown;
}

interface CachedReads<Answer, Variant> {
	/** Reads for a reseller, in one of several variants. `nowMs` is in Unix milliseconds. */
	read(reseller: string, variant: Variant, nowMs: number): Promise<Answer>;
	readonly nowMs: () => number;
	/** A text that differs for each variant. Default: the variant, which then has to be a text or a number. */
	keyOf?(variant: Variant): string;
	/** How many answers are kept. */
	readonly most?: number;
}

/**
 * Keeps the answers of reads that take the store about a second. Each answer is kept for some minutes, and a reseller has
 * one such read at a time.
 * @bound One such read of a reseller runs at a time: the next ones wait for it.
 */
export function createReadCache<Answer, Variant>({
	read,
	nowMs,
	keyOf = String,
	most = MAX_ANSWERS,
}: CachedReads<Answer, Variant>) {
	const kept = new Map<string, CachedRead<Answer>>();
	const underWay = new Map<string, { readonly key: string; readonly answer: Promise<Answer> }>();

	async function readAndKeep(reseller: string, variant: Variant, key: string): Promise<Answer> {
		const readAtMs = nowMs();
		try {
			const value = await read(reseller, variant, readAtMs);
			keepNewest(kept, key, { readAtMs, lifeMs: ANSWER_LIFE_MS, answer: { value } }, most);
			return value;
		} catch (cause) {
			keepNewest(kept, key, { readAtMs: nowMs(), lifeMs: FAILURE_LIFE_MS, cause }, most);
			throw cause;
		}
	}

	return async (reseller: string, variant: Variant): Promise<Answer> => {
		const key = `${reseller} ${keyOf(variant)}`;
		for (;;) {
			const found = kept.get(key);
			// The clock may have been set back.
			if (found && Math.abs(nowMs() - found.readAtMs) < found.lifeMs) {
				if (found.answer) return found.answer.value;
				throw found.cause;
			}
			const other = underWay.get(reseller);
			if (other?.key === key) return other.answer;
			if (!other) break;
			await other.answer.catch(() => undefined);
		}
		const answer = readAndKeep(reseller, variant, key).finally(() => underWay.delete(reseller));
		underWay.set(reseller, { key, answer });
		return answer;
	};
}
