import { routes } from '@bursar/contract';
import type { TransferRow } from '@bursar/testing/stored-books';
import type { Creation, FeeRange } from '../../src/index.ts';
import type { Operation } from './client-operations.ts';
import type { Passage } from './faulty-network.ts';
import type { ResellerAccounts } from './reseller-accounts.ts';

/** What the store, the server's answers and a connection without faults tell about a workload that has ended. */
export interface Evidence {
	readonly operations: readonly Operation[];
	readonly transfers: readonly TransferRow[];
	readonly subUsers: Awaited<ReturnType<ResellerAccounts['view']>>;
	readonly passages: readonly Passage[];
	/** The ids of the second actor's requests. */
	readonly requestsOfOthers: ReadonlySet<string>;
}

/** An operation, and what the server really did for it. */
export interface Verdict {
	readonly operation: Operation;
	/** How often it took effect. */
	readonly times: number;
	/** Its transfers, without fees. */
	readonly moves: readonly TransferRow[];
	readonly paidCents: number;
	readonly reportedFee: FeeRange;
	/** Its requests, as the network saw them. */
	readonly passages: readonly Passage[];
}

const NO_FEE: FeeRange = { minCents: 0, maxCents: 0 };

export function verdictsOn({ operations, transfers, subUsers, passages, requestsOfOthers }: Evidence): Verdict[] {
	const own = transfers.filter(({ requestId }) => !requestsOfOthers.has(requestId));
	const movesByKey = Map.groupBy(own, moveKey);
	const feesByRequest = Map.groupBy(
		own.filter(({ kind }) => kind === 'create_fee'),
		({ requestId }) => requestId,
	);
	const passagesByOperation = Map.groupBy(passages, ({ operation }) => operation);
	return operations.map((operation) => {
		const { kind, username, amountCents, report } = operation;
		const ownPassages = passagesByOperation.get(operation.number) ?? [];
		const isMove = amountOf(kind) !== undefined;
		const moves = isMove ? (movesByKey.get(`${amountOf(kind)} ${username} ${amountCents}`) ?? []) : [];
		const fees = ownPassages.flatMap(({ answer }) => feesByRequest.get(answer?.requestId ?? '') ?? []);
		const successes = ownPassages.filter(({ path, answer }) => path === changePath(kind) && answer?.status === 200);
		// A username can be created only once, so its existence counts, not the answers.
		const made = kind === 'create' ? Number(subUsers.has(username)) : successes.length;
		return {
			operation,
			times: isMove ? moves.length : made,
			moves,
			paidCents: fees.reduce((total, fee) => total + fee.amountCents, 0),
			reportedFee: reportedFee(report) ?? NO_FEE,
			passages: ownPassages,
		};
	});
}

function reportedFee(report: Operation['report']): FeeRange | undefined {
	if (report.kind === 'given_up') return undefined;
	return report.kind === 'done' ? (report.what as Partial<Creation>).fee : report.error.fee;
}

/** Transfers that no operation asked for and whose request the network has not seen. */
export function strayTransfers(verdicts: readonly Verdict[], { transfers, requestsOfOthers }: Evidence): TransferRow[] {
	const known = new Set(verdicts.flatMap(({ moves }) => moves.map(({ id }) => id)));
	const requests = new Set(verdicts.flatMap(({ passages }) => passages.map(({ answer }) => answer?.requestId)));
	return transfers.filter(
		({ id, requestId }) => !requestsOfOthers.has(requestId) && !(known.has(id) || requests.has(requestId)),
	);
}

/** The path of the request that makes the change. */
export function changePath(kind: Operation['kind']): string {
	switch (kind) {
		case 'give':
			return routes.giveBalance.path;
		case 'take':
		case 'take_too_much':
			return routes.takeBalance.path;
		case 'reset':
			return routes.resetAuthKey.path;
		default:
			return routes.createSubUser.path;
	}
}

/** The kind of the operation's transfer; `undefined` if it makes none, fees aside. */
function amountOf(kind: Operation['kind']): 'give' | 'take' | undefined {
	if (kind === 'give') return 'give';
	return kind === 'take' || kind === 'take_too_much' ? 'take' : undefined;
}

function moveKey({ kind, debit, credit, amountCents }: TransferRow): string {
	return `${kind} ${kind === 'give' ? credit : debit} ${amountCents}`;
}
