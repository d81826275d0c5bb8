import { print } from '@bursar/terminal';
import type { Command } from 'commander';
import { publicUrlOf, readConfig } from '../../config.ts';
import type { Service } from '../../service.ts';
import { createDemo, type Demo, type DemoPerson, signDemoPersonIn } from '../demo.ts';
import { invitationUrl } from '../invitation.ts';
import { resultLines } from '../output.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce, revoking } from '../shown-once.ts';
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
	const { resident, dashboard } = await residentOrDemo(service);
	const lines = json
		? resultLines(asObject(service, resident, dashboard), json)
		: welcome(service, resident, dashboard);
	if (resident.token === undefined) return print(lines);
	const { reseller } = resident;
	const done = `the demo reseller ${reseller} was created`;
	await printOnce(lines, { shown: 'token', done, remedy: revoking(reseller), fields: { reseller } });
}

/** A reseller that already existed, or the new demo reseller with its token. The demo may have a person. */
type Resident = Demo | { readonly reseller: string; readonly token?: undefined; readonly person?: DemoPerson };

/** The origin of the dashboard; `undefined` if it is off. */
type Dashboard = string | undefined;

function residentOrDemo({ url }: Service): Promise<{ resident: Resident; dashboard: Dashboard }> {
	return inSession(async (session) => {
		const { store, config } = session;
		const dashboard = config.dashboard ? publicUrlOf(config, Number(new URL(url).port || 80)) : undefined;
		const [first] = await store.listResellersBy({ search: '', descends: false, limit: 1 });
		if (!first) {
			assertOutputOpen('token');
			return { resident: await createDemo(session), dashboard };
		}
		const person = dashboard === undefined ? undefined : await signDemoPersonIn(session);
		return { resident: { reseller: first.username, ...(person && { person }) }, dashboard };
	});
}

function asObject({ url, opsUrl }: Service, { reseller, token, person }: Resident, dashboard: Dashboard) {
	return {
		url,
		ops_url: opsUrl,
		reseller,
		token: token ?? null,
		email: person?.email ?? null,
		password: person?.password ?? null,
		sign_in_link: dashboard && person ? invitationUrl(dashboard, person.linkSecret) : null,
	};
}

function welcome({ url, opsUrl }: Service, resident: Resident, dashboard: Dashboard): string[] {
	return [
		'',
		`Bursar is ready at ${url}`,
		...(dashboard === undefined ? [] : [`  dashboard      ${dashboard}/dashboard`]),
		`  API reference  ${url}/docs`,
		`  operations     ${opsUrl}/metrics`,
		'',
		...aboutTheToken(url, resident),
		...(dashboard === undefined ? [] : aboutTheDashboard(dashboard, resident)),
	];
}

function aboutTheToken(url: string, { reseller, token }: Resident): string[] {
	if (token === undefined) {
		return [`Tokens are shown once. For a new one: npx bursar reseller revoke-token ${reseller}`, ''];
	}
	return [
		`A demo reseller, ${reseller}, has a balance, dozens of sub-users and 90 days of business.`,
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

function aboutTheDashboard(dashboard: string, { reseller, person }: Resident): string[] {
	if (!person) {
		const invite = `npx bursar reseller invite ${reseller} --email you@example.com`;
		return [`To open the dashboard, invite yourself: ${invite}`, ''];
	}
	const { email, password, linkSecret } = person;
	return [
		`This link opens the dashboard, once, as ${email}:`,
		'',
		`  ${invitationUrl(dashboard, linkSecret)}`,
		'',
		...(password === undefined ? [] : [`The password of ${email} is shown only this once: ${password}`, '']),
	];
}
