import { CHANGE_KEPT_MS } from '@bursar/contract/change-id';
import type { RecordedChange } from '../accounts.ts';
import { ConnectionError, UnexpectedAnswerError, type UnknownOutcome } from '../errors.ts';
import type { CallOptions } from '../options.ts';
import type { BeginCall, Call } from '../protocol/call.ts';
import { CANNOT_TELL, findChange, requestToLook, type Unknown } from '../protocol/find-change.ts';
import { read } from '../protocol/read.ts';
import { outcomeUnknown } from '../protocol/send-change.ts';
import { checkCallOptions, checkChangeId } from '../read-options.ts';

/** What changes did, by their ids: `bursar.changes`. The service remembers a change for 48 hours. */
export class ChangesResource {
	readonly #begin: BeginCall;

	constructor(begin: BeginCall) {
		this.#begin = begin;
	}

	/**
	 * What the change with this id did; `undefined` if there is none now. A change that was just sent may still arrive:
	 * `settle` waits until it no longer can. Throws `UnexpectedAnswerError` if there is none, and the service does not show that
	 * it knows ids: a repeated call with this id could then make the change a second time.
	 */
	async retrieve(changeId: string, options: CallOptions = {}): Promise<RecordedChange | undefined> {
		const call = this.#beginWith(changeId, options);
		const recorded = await read(call, requestToLook(changeId));
		if (recorded === null && !call.service.isHonoured) throw new UnexpectedAnswerError(CANNOT_TELL);
		return recorded ?? undefined;
	}

	/**
	 * What the change with this id did, for certain; `undefined` if it was not done and no longer can be. It takes the `known`
	 * of an `OutcomeUnknownError`, which may come from another process, or what is known of a change: its id is enough. If the
	 * change is absent, it waits until it can no longer arrive: about 15 seconds after it was sent. Without `expires`, that is about
	 * 15 seconds from now, if the process that sent it had no longer `timeoutMs`. It sends no change. It is right for 47 hours.
	 *
	 * Throws `OutcomeUnknownError` if that cannot be known, or not within `totalTimeoutMs`.
	 */
	async settle(known: UnknownOutcome, options: CallOptions = {}): Promise<RecordedChange | undefined> {
		checkKnown(known);
		const { changeId, expires, mayHappenLater } = known;
		const lost = {
			type: ConnectionError,
			message: 'in an earlier call',
			code: mayHappenLater ? ('outcome_unknown' as const) : undefined,
			expires,
		};
		const call = this.#beginWith(changeId, options);
		const unknown: Unknown = (why, cause) => outcomeUnknown(known, lost, why, { cause });
		const recorded = await findChange(call, lost, unknown);
		const isLongAgo = expires !== undefined && call.service.shownAtMs(expires + REMEMBERED_SECONDS) !== undefined;
		if (recorded === undefined && isLongAgo) throw unknown('the service may have forgotten it');
		return recorded;
	}

	#beginWith(changeId: string, options: CallOptions): Call {
		checkCallOptions(options);
		checkChangeId(changeId);
		return this.#begin({ ...options, changeId });
	}
}

/** An hour less than the service remembers a change, because a change can arrive late. */
const REMEMBERED_SECONDS = CHANGE_KEPT_MS / 1000 - 3_600;

/** Throws a `TypeError` if no error of this client can hold this: the caller may have stored and changed it. */
function checkKnown(known: UnknownOutcome): void {
	checkChangeId(known.changeId);
	const { operation, username, expires, mayHappenLater } = known;
	const isText = [operation, username].every((text) => text === undefined || typeof text === 'string');
	const isExpiry = expires === undefined || (Number.isSafeInteger(expires) && expires >= 0);
	if (isText && isExpiry && (mayHappenLater === undefined || typeof mayHappenLater === 'boolean')) return;
	throw new TypeError('known must be the `known` of an OutcomeUnknownError');
}
