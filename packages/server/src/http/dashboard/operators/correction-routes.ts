import type { DayOfBandwidth } from '@bursar/contract/dashboard';
import { normalizeUsername } from '@bursar/contract/username';
import { type Bytes, usageDayOf } from '../../../domain/usage.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface CorrectionDependencies extends Pick<DashboardDependencies, 'store' | 'bank'> {
	readonly sessions: Sessions;
}

/** Operators mend the bandwidth of a day. */
export function operatorCorrectionRoutes(calls: Calls, { store, bank, sessions }: CorrectionDependencies): void {
	calls.read('/operator/usage/day', async ({ reseller, username: typedName, day }) => {
		const username = normalizeUsername(typedName);
		const used = username === undefined ? undefined : await store.findUsageOn(username, dayNumber(day));
		// A name of another reseller is like one that does not exist.
		if (!used || used.reseller !== normalizeUsername(reseller)) return { refused: 'unknown_account' };
		return { data: bytesView(used.ofAccount) };
	});

	calls.change('/operator/usage/correct', async (body, call) => {
		const { act, day, up, down, reference, reason } = body;
		const reseller = normalizeUsername(body.reseller);
		const username = normalizeUsername(body.username);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_account' };
		const outcome = await bank.changePerson({
			kind: 'correct_usage',
			reference,
			reseller,
			username,
			day: dayNumber(day),
			bytesUp: up,
			bytesDown: down,
			reason,
			madeBy: call.caller.record.person.email,
			requestId: call.request.id,
			by: ownChange(call, sessions, { act, kind: 'correct_usage', target: `${username} ${day}` }),
		});
		return outcome.ok ? { data: { repeated: outcome.repeated, ...bytesView(outcome) } } : refusedBy(outcome);
	});
}

/** In days since 1970-01-01. */
function dayNumber(day: string): number {
	return usageDayOf(Date.parse(day));
}

function bytesView({ bytesUp, bytesDown }: Bytes): DayOfBandwidth {
	return { up: bytesUp, down: bytesDown };
}
