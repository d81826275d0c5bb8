import { of } from '../answers.ts';
import { type ChangeById, sendWithId } from '../by-id/send-with-id.ts';
import type { Call } from '../call.ts';
import { knowsChangeIds, read } from '../read.ts';
import type { Turns } from '../turns.ts';
import { readDeletion, readDetails, readState, readWithLimits, readWithNote } from './read-terms.ts';
import type { sentLimits } from './sent-limits.ts';
import type { Deletion, SetLimits, SetNote, SetState, SubUserDetails } from './sub-user-terms.ts';

// Changes of the state, limits and note of a sub-user. Other servers of this API lack them, so each carries a change id.

export function viewDetails(call: Call, username: string): Promise<SubUserDetails> {
	return read(call, { operation: 'viewDetails', body: { username }, readData: of(username, readDetails) });
}

export function setState(
	call: Call,
	turns: Turns,
	operation: 'suspend' | 'resume',
	username: string,
): Promise<SetState> {
	return set(call, turns, {
		asked: { operation, username },
		request: {
			operation: operation === 'suspend' ? 'suspendSubUser' : 'resumeSubUser',
			body: { username },
			readData: of(username, readState),
		},
		async answerOf(_, call) {
			const { state } = await viewDetails(call, username);
			return { username, state };
		},
	});
}

export function setLimits(
	call: Call,
	turns: Turns,
	username: string,
	limits: ReturnType<typeof sentLimits>,
): Promise<SetLimits> {
	return set(call, turns, {
		asked: { operation: 'set_limits', username },
		request: { operation: 'setLimits', body: { username, ...limits }, readData: of(username, readWithLimits) },
		async answerOf(_, call) {
			const details = await viewDetails(call, username);
			return { username, limits: details.limits };
		},
	});
}

export function setNote(call: Call, turns: Turns, username: string, note: string): Promise<SetNote> {
	return set(call, turns, {
		asked: { operation: 'set_note', username },
		request: { operation: 'setNote', body: { username, note }, readData: of(username, readWithNote) },
		async answerOf(_, call) {
			const details = await viewDetails(call, username);
			return { username, note: details.note };
		},
	});
}

/**
 * A lost request of an earlier call must not undo what this call sets. So each call waits until earlier requests have
 * settled.
 */
function set<Data>(call: Call, turns: Turns, change: ChangeById<Data>) {
	return turns.take(change.asked.username, call, true, async () => {
		await knowsChangeIds(call);
		return sendWithId(call, turns, { ...change, isSetting: true });
	});
}

/** If a delete is repeated, the service answers as if the sub-user had never existed. So only the id tells the outcome. */
export function deleteSubUser(call: Call, turns: Turns, username: string): Promise<Deletion> {
	return turns.take(username, call, false, async () => {
		await knowsChangeIds(call);
		return sendWithId(call, turns, {
			asked: { operation: 'delete', username },
			request: { operation: 'deleteSubUser', body: { username }, readData: of(username, readDeletion) },
			answerOf: ({ amountCents = 0 }) => ({ username, returnedCents: amountCents }),
		});
	});
}
