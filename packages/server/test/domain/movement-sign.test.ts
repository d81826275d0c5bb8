import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedAmount } from '@bursar/contract/movement-sign';
import { movementFields } from '../../src/cli/recorded.ts';
import {
	debtTransfer,
	platformTransfer,
	subUserTransfer,
	TRANSFER_KINDS,
	type Transfer,
} from '../../src/domain/ledger.ts';
import { fromSideOf, movementView } from '../../src/http/dashboard/statement/movement-view.ts';
import { movementView as apiView } from '../../src/http/movement-view.ts';
import type { StoredMovement } from '../../src/store/tables/ledger/movements.ts';

const ACME = { reseller: 'acme', username: 'acme', balanceCents: 10_000 };
const ALICE = { reseller: 'acme', username: 'alice', balanceCents: 1_000 };
const REQUEST = { atMs: 0, requestId: 'r' };

/** One movement of 2.50 dollars of each kind, and what acme's and alice's balances are afterwards. */
const TRANSFERS: readonly Transfer[] = [
	platformTransfer('top_up', ACME, 250, REQUEST),
	platformTransfer('adjustment', ACME, 250, REQUEST),
	platformTransfer('create_fee', ACME, 250, { ...REQUEST, aboutUsername: 'alice' }),
	platformTransfer('usage', ACME, 250, REQUEST),
	platformTransfer('usage', ALICE, 250, REQUEST),
	platformTransfer('debt_payment', ACME, 250, REQUEST),
	subUserTransfer('give', ACME, ALICE, 250, REQUEST),
	// So is what a delete gives back.
	subUserTransfer('take', ALICE, ACME, 250, REQUEST),
	debtTransfer('debt', 'acme', 250, { ...REQUEST, aboutUsername: 'alice' }),
	debtTransfer('debt_forgiven', 'acme', 250, REQUEST),
	debtTransfer('refund_debt', 'acme', 250, REQUEST),
];

function stored(transfer: Transfer): StoredMovement {
	const nothing = {
		changeId: null,
		tokenTail: null,
		address: null,
		operatorToken: null,
		systemUser: null,
		email: null,
	};
	const more = { emailReseller: null, reference: null, reason: null, note: null };
	return {
		number: 1,
		...nothing,
		...more,
		...transfer,
		aboutUsername: transfer.aboutUsername ?? null,
	} as StoredMovement;
}

test('the command lines and the dashboard show each movement with the same sign: that of the account of the statement', () => {
	assert.deepEqual(new Set(TRANSFERS.map(({ kind }) => kind)), new Set(TRANSFER_KINDS));
	for (const transfer of TRANSFERS) {
		const row = stored(transfer);
		const { kind, debit, credit, debitBalanceCents } = transfer;
		const adds = credit === 'acme' || kind === 'debt_forgiven';
		const expected = adds ? 250 : -250;
		const ofReseller = { reseller: 'acme', forOperator: false, usageOf: () => [] };
		const onPage = movementView(row, ofReseller);
		assert.equal(movementFields(row).amount_cents, expected, `bursar movements: ${kind}`);
		assert.equal(onPage.amount, expected, `dashboard: ${kind}`);
		// `bursarctl` has only what the API tells.
		const told = apiView(row);
		assert.equal(signedAmount({ kind: told.kind, amountCents: told.amount }), expected, `bursarctl: ${kind}`);
		assert.equal(onPage.balance, movementFields(row).balance_cents, kind);

		const alices = [debit, credit].includes('alice') ? (credit === 'alice' ? 250 : -250) : expected;
		assert.equal(fromSideOf('alice', row, onPage).amount, alices, `page of alice: ${kind}`);
		if (debit === 'alice') assert.equal(fromSideOf('alice', row, onPage).balance, debitBalanceCents);
	}
});
