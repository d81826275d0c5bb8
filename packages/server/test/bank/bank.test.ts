import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBank } from '../../src/bank/bank.ts';
import type { Command, Outcome } from '../../src/domain/command.ts';
import type { BatchAnswer } from '../../src/store/store.ts';
import { createReseller, giveBalance } from '../support/commands.ts';
import { rememberingObserver } from './controlled-run.ts';

function bankOver(answers: readonly BatchAnswer<Outcome>[]) {
	const asked: { readonly commands: readonly Command[]; readonly nowMs: number }[] = [];
	let clockMs = 1000;
	const bank = createBank(
		{
			nowMs: () => clockMs++,
			maxWaitMs: 1000,
			batchesAtOnce: 1,
			async runCommands(commands, nowMs) {
				asked.push({ commands, nowMs });
				return answers[asked.length - 1] as BatchAnswer<Outcome>;
			},
		},
		{ observer: rememberingObserver().observer },
	);
	return { bank, asked };
}

test("commands reach the store as one batch, dated by the store's clock when it is begun, also when it is begun again", async () => {
	const paid = { ok: true, username: 'alice', balanceCents: 5 } as const;
	const taken = { ok: false, error: 'username_taken' } as const;
	const { bank, asked } = bankOver([{ kind: 'busy' }, { kind: 'committed', results: [paid, taken], faults: [] }]);
	const commands = [giveBalance('acme', 'alice', 5), createReseller('acme', 0)] as const;
	const outcomes = await Promise.all(commands.map((command) => bank.submit(command)));
	assert.deepEqual(outcomes, [paid, taken]);
	assert.deepEqual(asked, [
		{ commands, nowMs: 1000 },
		{ commands, nowMs: 1001 },
	]);
	assert.equal(bank.waiting, 0);
});

test('a batch that was not done, or of which that cannot be known, is a refusal of its own kind', async () => {
	const { bank } = bankOver([
		{ kind: 'not_done', cause: 'no room' },
		{ kind: 'outcome_unknown', cause: 'no answer' },
	]);
	const give = giveBalance('acme', 'alice', 5);
	assert.deepEqual(await bank.submit(give), { ok: false, error: 'unavailable' });
	assert.deepEqual(await bank.submit(give), { ok: false, error: 'outcome_unknown' });
	await bank.stop();
	assert.deepEqual(await bank.submit(give), { ok: false, error: 'unavailable' });
});
