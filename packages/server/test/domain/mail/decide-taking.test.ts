import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MailKind } from '@bursar/contract/dashboard';
import { decideTaking, type OutboxRow } from '../../../src/domain/mail/mail.ts';
import { addingNotices } from '../../../src/store/tables/mail/outbox.ts';
import { NOON_MS } from '../../support/commands.ts';

test('rows are taken in the order in which notices are added, so that neither waits for what the other one holds', () => {
	const resellers = ['acme.2', 'acme', 'bolt', 'acme_1'];
	const kinds = ['token_changed', 'exhausted_sub_user'] as const;
	const due = resellers.flatMap((reseller) => kinds.map((mail) => row(mail, reseller)));
	const { mails, effects } = decideTaking(due, NOON_MS);
	assert.equal(mails.length, due.length);
	const taken = effects.map((effect) => effect.kind === 'begin_mail' && `${effect.mail.mail} ${effect.mail.person}`);
	const facts = { change: 'ended', tail: 'tail', by: 'operator', username: 'alice' } as const;
	const added = addingNotices(
		resellers.flatMap((reseller) => kinds.map((kind) => ({ kind, to: { reseller }, atMs: NOON_MS, facts }))),
	);
	assert.deepEqual(
		taken,
		added.map(({ values }) => `${values[0]} person of ${values.at(-1)}`),
	);
});

function row(mail: MailKind, reseller: string): OutboxRow {
	return {
		...{ person: `person of ${reseller}`, reseller, email: `ann@${reseller}.example`, mail, isWanted: true },
		...{ notices: 1, noticeLines: '', number: 0, mailNotices: 0, mailNoticeLines: '', begunAtMs: 0, tries: 0 },
	};
}
