import { test } from 'node:test';
import { bothEngines } from '../support/both-engines.ts';
import { bookPayments } from '../support/payments-under-faults.ts';

const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

for (const engine of await bothEngines()) {
	const processes = engine.name === 'SQLite' ? 1 : 2;
	test(`${engine.name}: with providers that fail and processes that are killed, each payment is booked exactly once`, async (t) => {
		await bookPayments(t, {
			environment: await engine.environment(),
			processes,
			payments: isLong ? 1_005 : 150,
			rounds: isLong ? 20 : 8 / processes,
		});
	});
}
