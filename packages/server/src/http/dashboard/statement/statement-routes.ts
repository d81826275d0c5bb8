import { SEARCH_HITS } from '@bursar/contract/dashboard';
import { findReseller, findSubUserName } from '../business/accounts.ts';
import { type PersonCall, type Reply, resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import type { Refused } from '../calls/refusals.ts';
import { ownerOf, type StatementOf } from './movement-view.ts';
import { createPeriodSums } from './period-sums.ts';
import { readPeriods } from './periods.ts';
import { readLines, readStatement, type StatementDependencies, statementFile } from './statement.ts';

/** The movements of a reseller's money, for its own people and for operators. */
export function statementRoutes(calls: Calls, dependencies: StatementDependencies): void {
	const { accounts, store, nowMs } = dependencies;
	const sums = createPeriodSums(store);

	async function periodsOf(
		of: StatementOf,
		{ bounds, username: typedName }: { readonly bounds: readonly number[]; readonly username?: string | undefined },
	) {
		const owner = ownerOf(of);
		const username =
			typedName === undefined ? undefined : await findSubUserName(dependencies, of.reseller, typedName, owner);
		if (typedName !== undefined && username === undefined) return { refused: 'unknown_sub_user' } as const;
		return readPeriods({ reseller: of.reseller, username, boundsMs: bounds, owner }, { store, sums, nowMs });
	}

	async function referencesOf(of: StatementOf, typed: string) {
		const text = typed.trim().toLowerCase();
		if (text === '') return { data: [] };
		const query = { reseller: of.reseller, text, limit: SEARCH_HITS, owner: ownerOf(of) };
		return { data: (await store.searchReferences(query)).references };
	}

	/** The statement of the reseller that an operator names. */
	async function ofReseller<Data>(
		reseller: string,
		read: (of: StatementOf) => Promise<Reply<Data>>,
	): Promise<Reply<Data> | Refused> {
		const account = await findReseller(accounts, reseller);
		return account ? read({ reseller: account.username, forOperator: true }) : { refused: 'unknown_reseller' };
	}

	calls.read('/statement', (query, call) => readStatement(own(call), query, dependencies));
	calls.read('/statement/references', ({ text }, call) => referencesOf(own(call), text));
	calls.read('/statement/periods', (query, call) => periodsOf(own(call), query));
	calls.read('/statement/lines', (query, call) => readLines(own(call), query, dependencies));
	calls.file('/statement.csv', (query, call) => statementFile(own(call), query, dependencies));

	calls.read('/operator/statement', ({ reseller, ...query }) =>
		ofReseller(reseller, (of) => readStatement(of, query, dependencies)),
	);
	calls.read('/operator/statement/references', ({ reseller, text }) =>
		ofReseller(reseller, (of) => referencesOf(of, text)),
	);
	calls.read('/operator/statement/periods', ({ reseller, ...query }) =>
		ofReseller(reseller, (of) => periodsOf(of, query)),
	);
	calls.read('/operator/statement/lines', ({ reseller, ...query }) =>
		ofReseller(reseller, (of) => readLines(of, query, dependencies)),
	);
	calls.file('/operator/statement.csv', ({ reseller, ...query }) =>
		ofReseller(reseller, (of) => statementFile(of, query, dependencies)),
	);
}

function own(call: PersonCall): StatementOf {
	return { reseller: resellerOf(call), forOperator: false };
}
