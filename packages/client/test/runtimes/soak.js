// For runtimes with a command line. Moves balance through a faulty network, and prints what each call reported.
import { Bursar } from '@bursar/client';

const { BURSAR_URL: baseUrl, BURSAR_TOKEN: token, BURSAR_SOAK: settings } = process.env;
const { usernames, each, firstAmount } = JSON.parse(settings);
const bursar = new Bursar({ baseUrl, token, timeoutMs: 2_000, afterExpiryMs: 5_400, totalTimeoutMs: 120_000 });

const workers = usernames.map(async (username, index) => {
	const reports = [];
	for (let number = 0; number < each; number++) {
		const amountCents = firstAmount + index * each + number;
		const kind = number % 2 === 0 ? 'give' : 'take';
		const outcome = await bursar.subUsers[kind](username, amountCents).then(
			({ confirmedBy }) => confirmedBy,
			({ name, code }) => code ?? name,
		);
		reports.push({ username, kind, amountCents, outcome });
	}
	return reports;
});
process.stdout.write(`${JSON.stringify((await Promise.all(workers)).flat())}\n`);
