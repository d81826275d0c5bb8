import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ledgerTexts } from '../../../../../dashboard/src/features/ledger/texts.ts';
import { groupedProblems } from '../../../../../dashboard/src/features/ledger/verification.ts';
import { usageTexts } from '../../../../../dashboard/src/features/usage-health/texts.ts';
import type { UsageRefusal } from '../../../../src/domain/usage.ts';
import { LEDGER_CHECKS, ledgerProblems } from '../../../../src/store/tables/ledger/checks.ts';

test('the ledger page explains each problem that a verification can find', () => {
	for (const check of LEDGER_CHECKS) {
		for (const problem of [check.problem].flat()) {
			const [group] = groupedProblems(ledgerProblems(check, [{ name: 'acme', problem, detail: 'gift' }]));
			assert.notEqual(group?.means, ledgerTexts.unknownProblem.means, problem);
		}
	}
});

test('the page of usage reports explains each reason for which a report is refused', () => {
	const reasons: Readonly<Record<UsageRefusal, true>> = {
		not_json: true,
		invalid_report: true,
		invalid_timestamp: true,
		invalid_counter: true,
		unknown_username: true,
		timestamp_ahead: true,
		timestamp_too_old: true,
		counter_overflow: true,
		too_fast: true,
		conflict: true,
	};
	assert.deepEqual(Object.keys(usageTexts.reasons).sort(), Object.keys(reasons).sort());
});
