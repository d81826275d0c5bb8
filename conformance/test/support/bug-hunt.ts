import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { allRules } from '../../src/rules/all.ts';
import { type Bug, type Bugs, differenceOf, type ServiceWithBugs } from './bug.ts';
import { failuresOf, namesOf, runSuite } from './run-suite.ts';
import { startTestedService } from './tested-service.ts';
import { startDifferentServer } from './wrong-server.ts';

/** The long form also shows that no other rule of these groups fails. */
const isLong = process.env.BURSAR_TEST_FAULTS === 'long';

interface Hunt {
	/** Starts the service that the bugs are put in front of. By default it is Bursar. */
	readonly start?: (test: TestContext) => Promise<ServiceWithBugs>;
	/** Whether only the rules of the contract hunt. */
	readonly contract?: boolean;
}

/** Tests each bug on its own, in front of the same service. */
export function huntBugs(bugs: Bugs, { start = startTestedService, contract = false }: Hunt = {}): void {
	test('each bug is found by every rule that it breaks', async (t) => {
		const service = await start(t);
		for (const [what, bug] of Object.entries(bugs)) await t.test(what, (t) => assertFound(t, service, bug, contract));
	});
}

async function assertFound(t: TestContext, service: ServiceWithBugs, bug: Bug, contract: boolean): Promise<void> {
	const url = await startDifferentServer(t, service.url, differenceOf(bug, service));
	const tested = [...bug.failing, ...(bug.alongside ?? [])];
	const groups = [...tested, ...(bug.perhaps ?? [])].map((name) => name.slice(0, name.indexOf('.')));
	const only = isLong ? [...new Set([...groups, 'every-answer', 'spending'])] : tested;
	// To look at a second reseller takes two calls of each run.
	const needsSecond = allRules.some(({ name, needs }) => only.includes(name) && needs?.includes('second-reseller'));
	const secondToken = isLong || needsSecond ? service.bolt.token : undefined;
	const report = await runSuite(url, service.acme.token, { secondToken, choose: { only, contract } });
	const failed = namesOf(report, 'failed').filter((name) => !bug.perhaps?.includes(name));
	assert.deepEqual(failed.sort(), [...bug.failing].sort(), JSON.stringify(failuresOf(report), null, '\t'));
}
