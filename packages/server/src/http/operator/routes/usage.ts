import { MAX_USAGE_PARTS } from '@bursar/contract/limits';
import type { DataOf, operatorOperations, RequestOf } from '@bursar/contract/operator';
import { normalizeUsername } from '@bursar/contract/username';
import { type Bytes, usageDayOf } from '../../../domain/usage.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import { askedSpans, startOfSpanMs } from '../../bandwidth/asked-spans.ts';
import { type AskedBandwidth, filled, knownSinceMs, partsOf, readCosts } from '../../bandwidth/sums.ts';
import type { Calls, Refused } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { refusedBy } from '../refusals.ts';
import { time, timeOrNull } from '../times.ts';

type Operations = typeof operatorOperations;

/** Bandwidth, and its corrections. */
export function usageCalls(
	calls: Calls,
	{ accounts, store, nowMs }: Pick<OperatorDependencies, 'accounts' | 'store' | 'nowMs'>,
): void {
	calls.answer('viewUsage', async (wanted) => {
		const asked = await understand(wanted);
		return 'refused' in asked ? asked : { data: await readUsage(asked) };
	});

	async function understand({
		reseller: typedName,
		edge,
		by,
		from,
		to,
		unit,
	}: RequestOf<Operations['viewUsage']>): Promise<
		AskedBandwidth | Refused<'invalid_request' | 'unknown_reseller' | 'unknown_edge'>
	> {
		const spans = askedSpans({ range: `${from}..${to}`, unit }, nowMs());
		if (!spans) return { refused: 'invalid_request', message: NOT_SHOWN };
		const isImpossible = typedName === undefined ? by === 'sub_user' : by === 'reseller';
		if (isImpossible || (edge !== undefined && by !== undefined)) {
			return { refused: 'invalid_request', message: NOT_DIVIDED };
		}
		const account = typedName === undefined ? undefined : await findReseller(accounts, typedName);
		if (typedName !== undefined && !account) return { refused: 'unknown_reseller' };
		if (edge !== undefined && !(await store.listEdges()).some(({ name }) => name === edge)) {
			return { refused: 'unknown_edge' };
		}
		return { reseller: account?.username, edge, by, spans, owner: PROGRAMS };
	}

	async function readUsage(asked: AskedBandwidth): Promise<DataOf<Operations['viewUsage']>> {
		const { spans, by, ...of } = asked;
		const [found, costs, parts, sinceMs] = await Promise.all([
			store.listBandwidth({ ...of, ...spans }),
			readCosts(store, asked),
			by === undefined ? [] : store.listBandwidthParts({ ...of, ...spans, by, limit: MAX_USAGE_PARTS }),
			store.findHoursSince(PROGRAMS),
		]);
		return {
			unit: spans.unit,
			spans: filled(found, spans).map((bytes, index) => ({
				timestamp: time(startOfSpanMs(spans.unit, spans.first + index)),
				...bytes,
				cost: costs && (costs.get(spans.first + index) ?? 0),
			})),
			parts: partsOf(parts, spans).map(({ values, ...part }) => ({ ...part, values: [...values] })),
			known_since: timeOrNull(knownSinceMs(asked, sinceMs)),
		};
	}

	calls.answer('viewUsageDay', async ({ reseller: typedReseller, username: typedName, day }) => {
		const reseller = normalizeUsername(typedReseller);
		const username = normalizeUsername(typedName);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_account' };
		const used = await store.findUsageOn(username, dayNumber(day), PROGRAMS);
		// A name of another reseller is like one that does not exist.
		if (used?.reseller !== reseller) return { refused: 'unknown_account' };
		return { data: { username, day, ...bytesView(used.ofAccount) } };
	});

	calls.answer('correctUsage', async (body, call) => {
		const { day, up, down, reference, reason } = body;
		const reseller = normalizeUsername(body.reseller);
		const username = normalizeUsername(body.username);
		if (reseller === undefined || username === undefined) return { refused: 'unknown_account' };
		const outcome = await call.changePerson({
			...{ kind: 'correct_usage', reseller, username, day: dayNumber(day), bytesUp: up, bytesDown: down },
			...{ reference, reason, madeBy: call.by, requestId: call.requestId },
		});
		if (!outcome.ok) return refusedBy(outcome);
		return { data: { username, day, ...bytesView(outcome), repeated: outcome.repeated } };
	});
}

const NOT_SHOWN =
	'from and to must be UTC days in this order, of the last 90 days by day or of the last 7 by hour, today included';
const NOT_DIVIDED =
	'of edge and by at most one can be given; resellers are told apart only without reseller, and sub-users only with it';

/** In days since 1970-01-01. */
function dayNumber(day: string): number {
	return usageDayOf(Date.parse(day));
}

function bytesView({ bytesUp, bytesDown }: Bytes) {
	return { up: bytesUp, down: bytesDown };
}
