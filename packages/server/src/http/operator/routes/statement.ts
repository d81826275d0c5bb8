import { MAX_OPERATOR_PAGE_ROWS } from '@bursar/contract/limits';
import { startOfDayMs, usageDayOf } from '../../../domain/usage.ts';
import { PROGRAMS } from '../../../store/reading.ts';
import type { Calls } from '../calls.ts';
import type { OperatorDependencies } from '../dependencies.ts';
import { findReseller } from '../find-reseller.ts';
import { operatorMovementView } from '../statement-view.ts';

/** The movements of a reseller's money. */
export function statementCalls(calls: Calls, { accounts }: Pick<OperatorDependencies, 'accounts'>): void {
	calls.answer(
		'viewStatementPage',
		async ({ reseller: typedName, after, limit = MAX_OPERATOR_PAGE_ROWS, reference, from, to }) => {
			const account = await findReseller(accounts, typedName);
			if (!account) return { refused: 'unknown_reseller' };
			const { rows, nextBefore } = await accounts.listMovements({
				...{ reseller: account.username, owner: PROGRAMS, limit, reference },
				before: after == null ? Number.MAX_SAFE_INTEGER : Number(after),
				fromMs: from === undefined ? undefined : Date.parse(from),
				toMs: to === undefined ? undefined : startOfDayMs(usageDayOf(Date.parse(to)) + 1),
			});
			return {
				data: {
					movements: rows.map(operatorMovementView),
					next: nextBefore === null ? null : String(nextBefore),
				},
			};
		},
	);
}
