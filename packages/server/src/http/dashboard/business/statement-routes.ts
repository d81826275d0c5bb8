import { resellerOf } from '../calls/call.ts';
import type { Calls } from '../calls/calls.ts';
import { findReseller } from './accounts.ts';
import { readStatement, type StatementDependencies, statementFile } from './statement.ts';

/** The movements of a reseller's money, for its own people and for operators. */
export function statementRoutes(calls: Calls, dependencies: StatementDependencies): void {
	const { accounts } = dependencies;

	calls.read('/statement', { role: 'reseller' }, async (query, call) =>
		readStatement({ reseller: resellerOf(call), forOperator: false }, query, dependencies),
	);
	calls.file('/statement.csv', { role: 'reseller' }, async (query, call) =>
		statementFile({ reseller: resellerOf(call), forOperator: false }, query, dependencies),
	);

	calls.read('/operator/statement', { role: 'operator' }, async ({ reseller, ...query }) => {
		const account = await findReseller(accounts, reseller);
		if (!account) return { refused: 'unknown_reseller' };
		return readStatement({ reseller: account.username, forOperator: true }, query, dependencies);
	});
	calls.file('/operator/statement.csv', { role: 'operator' }, async ({ reseller, ...query }) => {
		const account = await findReseller(accounts, reseller);
		if (!account) return { refused: 'unknown_reseller' };
		return statementFile({ reseller: account.username, forOperator: true }, query, dependencies);
	});
}
