import type { Account, Creation, ReplacedAuthKey, Transfer } from '../accounts.ts';
import type { Call } from '../call.ts';
import { requestToCreate, stillOpen } from '../create-sub-user.ts';
import { type FeeRange, UsernameTakenError } from '../errors.ts';
import { NOTHING, ONE_FEE } from '../fees.ts';
import { type Move, requestToMove } from '../move-balance.ts';
import { find, viewSubUser } from '../read.ts';
import { requestToReset } from '../reset-auth-key.ts';
import type { Turns } from '../turns.ts';
import { sendWithId } from './send-with-id.ts';
import { viewChange } from './view-change.ts';

// The changes, for a service that records each with its id. Those of one sub-user take turns, so they keep their order.

/**
 * Creates the sub-user, or finds that it exists: a look costs nothing, a create of a taken name does. No call pays more
 * than one fee.
 */
export function createWithId(call: Call, turns: Turns, username: string): Promise<Creation> {
	return turns.take(username, call, true, async () => {
		const owned = await find(call, username);
		const isOwnWork = call.isIdGiven && owned !== undefined && (await viewChange(call, call.changeId)) !== undefined;
		if (owned && !isOwnWork) return existing(owned, NOTHING);
		if (turns.isOpen(username) && !call.isIdGiven) throw stillOpen(username);
		try {
			const { confirmedBy, requestId, ...subUser } = await sendWithId<Account>(call, turns, {
				asked: { operation: 'create', username },
				request: requestToCreate(username),
				answerOf: (_, call) => viewSubUser(call, username),
			});
			return { subUser, created: true, fee: ONE_FEE, confirmedBy, requestId };
		} catch (error) {
			if (!(error instanceof UsernameTakenError)) throw error;
			// Another process of the reseller may have taken the name since the look.
			const owned = await find(call, username).catch((cause) => {
				throw new UsernameTakenError(error.message, { ...error, cause });
			});
			if (owned === undefined) throw error;
			return existing(owned, ONE_FEE);
		}
	});
}

function existing(subUser: Account, fee: FeeRange): Creation {
	return { subUser, created: false, fee, confirmedBy: 'look', requestId: undefined };
}

/** The balance in the result is that after this move, whatever others moved since. */
export function moveWithId(call: Call, turns: Turns, move: Move): Promise<Transfer> {
	return turns.take(move.username, call, false, () =>
		sendWithId(call, turns, {
			asked: move,
			request: requestToMove(move),
			answerOf: ({ balanceCents = 0 }) => ({ username: move.username, balanceCents }),
		}),
	);
}

/** If the answer was lost, the key in the result is the one that is valid now. */
export function resetWithId(call: Call, turns: Turns, username: string): Promise<ReplacedAuthKey> {
	return turns.take(username, call, false, () =>
		sendWithId(call, turns, {
			asked: { operation: 'reset_auth_key', username },
			request: requestToReset(username),
			async answerOf(_, call) {
				const { proxyAuthkey } = await viewSubUser(call, username);
				return { username, proxyAuthkey };
			},
		}),
	);
}
