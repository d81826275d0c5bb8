import { print } from '@bursar/terminal';
import type { Command } from 'commander';
import { readConfig } from '../../config.ts';
import type { Service } from '../../service.ts';
import { createDemo, type Demo } from '../demo.ts';
import { resultLines } from '../output.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce } from '../shown-once.ts';
import { showUntilStopped, startLogged } from './serve.ts';

/** `bursar dev`: the service with demo data. */
export function devCommand(command: Command): void {
	command.addHelpText('after', '\nExample:\n  $ bursar dev\n').action(async ({ json }: { json?: boolean }) => {
		// The service starts first: if its port is taken, no token is made that would never be shown.
		const { service, logger } = await startLogged(readConfig(process.env), json);
		await showUntilStopped(service, logger, () => showResident(service, json));
	});
}

async function showResident(service: Service, json: boolean | undefined): Promise<void> {
	const resident = await residentOrDemo();
	const lines = json ? resultLines(asObject(service, resident), json) : welcome(service, resident);
	if (resident.token === undefined) return print(lines);
	const { reseller } = resident;
	await printOnce(lines, { reseller, done: `the demo reseller ${reseller} was created`, fields: { reseller } });
}

/** A reseller that already existed, or the new demo reseller with its token. */
type Resident = Demo | { readonly reseller: string; readonly token?: undefined };

function residentOrDemo(): Promise<Resident> {
	return inSession(async (session) => {
		const [first] = await session.store.listResellers('', 1);
		if (first) return { reseller: first.username };
		assertOutputOpen();
		return createDemo(session);
	});
}

function asObject({ url, opsUrl }: Service, { reseller, token }: Resident) {
	return { url, ops_url: opsUrl, reseller, token: token ?? null };
}

function welcome({ url, opsUrl }: Service, { reseller, token }: Resident): string[] {
	const lines = [
		'',
		`Bursar is ready at ${url}`,
		`  API reference  ${url}/docs`,
		`  operations     ${opsUrl}/metrics`,
		'',
	];
	if (token === undefined) {
		return [...lines, `Tokens are shown once. For a new one: npx bursar reseller revoke-token ${reseller}`, ''];
	}
	return [
		...lines,
		`A demo reseller, ${reseller}, has a balance, sub-users and 90 days of usage.`,
		'Its token is shown only this once:',
		'',
		`  ${token}`,
		'',
		'Try it:',
		'',
		`  curl -H 'Authorization: Bearer ${token}' ${url}/reseller/my_info`,
		'',
	];
}
