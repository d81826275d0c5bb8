import { priceText } from '@bursar/contract/price';
import { print } from '@bursar/terminal';
import { Command } from 'commander';
import { publicUrlOf, readConfig } from '../../config.ts';
import { linkUrl } from '../../credentials.ts';
import type { Service } from '../../service.ts';
import { DEMO_PRICE } from '../demo/business.ts';
import { createDemo, DEMO_RESELLER, type Demo, type DemoPerson, signDemoPersonIn } from '../demo/demo.ts';
import { type DemoProxy, startDemoProxy } from '../demo/proxy.ts';
import { resultLines } from '../output.ts';
import { inSession } from '../session.ts';
import { assertOutputOpen, printOnce, revoking } from '../shown-once.ts';
import { showUntilStopped, startLogged } from './serve.ts';

const HELP = `
The proxy of the demo is the edge bursar-dev. It gets a new key at each start, so give no proxy host of yours this name.

Example:
  $ bursar dev
`;

/** `bursar dev`: the service with demo data, and a proxy. */
export function devCommand(): Command {
	const command = new Command('dev').description('run the service, with a demo reseller if the store is empty');
	command.addHelpText('after', HELP).action(async ({ json }: { json?: boolean }) => {
		// The service starts first: if its port is taken, no token is made that would never be shown.
		const config = readConfig(process.env);
		let proxy: DemoProxy | undefined;
		const { service, logger } = await startLogged({ ...config, edgePort: config.edgePort ?? 0 }, json, {
			proxyUrls: () => proxy?.urls ?? [],
		});
		const stopping = {
			...service,
			async stop() {
				await proxy?.stop();
				await service.stop();
			},
		};
		await showUntilStopped(stopping, logger, async () => {
			const shown = await residentOrDemo(service, json, (started) => {
				proxy = started;
			});
			await showResident(service, shown, json);
		});
	});
	return command;
}

async function showResident(service: Service, shown: Shown, json: boolean | undefined): Promise<void> {
	const { resident } = shown;
	const lines = json ? resultLines(asObject(service, shown), json) : welcome(service, shown);
	if (resident.token === undefined) return print(lines);
	const { reseller } = resident;
	const done = `the demo reseller ${reseller} was created`;
	await printOnce(lines, { shown: 'token', done, remedy: revoking(reseller), fields: { reseller } });
}

/** A reseller that already existed, or the new demo reseller with its token. The demo may have a person. */
type Resident = Demo | { readonly reseller: string; readonly token?: undefined; readonly person?: DemoPerson };

interface Shown {
	readonly resident: Resident;
	/** The origin of the dashboard; `undefined` if it is off. */
	readonly dashboard: string | undefined;
	/** `undefined` if the store does not hold the demo, or if the proxy did not start. */
	readonly proxy: DemoProxy | undefined;
	readonly hasOperator: boolean;
}

/** `onProxy` gets the proxy as soon as it runs, so that it is stopped whatever follows. */
function residentOrDemo(
	service: Service,
	json: boolean | undefined,
	onProxy: (proxy: DemoProxy | undefined) => void,
): Promise<Shown> {
	const { url } = service;
	return inSession(async (session) => {
		const { store, config } = session;
		const withProxy = async (shown: Omit<Shown, 'proxy' | 'hasOperator'>): Promise<Shown> => {
			const proxy = await startDemoProxy(session, service, json ? 2 : 1);
			onProxy(proxy);
			return { ...shown, proxy, hasOperator: await service.hasOperator() };
		};
		const dashboard = config.dashboard ? publicUrlOf(config, Number(new URL(url).port || 80)) : undefined;
		const demo = await store.findAccount(DEMO_RESELLER, DEMO_RESELLER);
		const [first] = await store.listResellersBy({ search: '', by: 'name', descends: false, limit: 1 });
		const resident = demo ?? first;
		if (!resident) {
			assertOutputOpen('token');
			return withProxy({ resident: await createDemo(session), dashboard });
		}
		const person = dashboard === undefined ? undefined : await signDemoPersonIn(session);
		return withProxy({ resident: { reseller: resident.username, ...(person && { person }) }, dashboard });
	});
}

function asObject({ url, opsUrl, operatorUrl, edgeUrl }: Service, { resident, dashboard, proxy }: Shown) {
	const { reseller, token, person } = resident;
	return {
		url,
		ops_url: opsUrl,
		operator_url: operatorUrl,
		edge_url: edgeUrl,
		proxy_url: proxy?.url ?? null,
		reseller,
		token: token ?? null,
		email: person?.email ?? null,
		password: person?.password ?? null,
		sign_in_link: dashboard && person ? linkUrl(dashboard, person.linkSecret) : null,
	};
}

function welcome({ url, opsUrl, operatorUrl }: Service, { resident, dashboard, proxy, hasOperator }: Shown): string[] {
	return [
		'',
		`Bursar is ready at ${url}`,
		...(dashboard === undefined ? [] : [`  dashboard      ${dashboard}/dashboard`]),
		`  API reference  ${url}/docs`,
		...(operatorUrl === undefined ? [] : [`  operator's API ${operatorUrl}/docs`]),
		`  operations     ${opsUrl}/metrics`,
		'',
		...aboutTheToken(url, resident),
		...aboutTheProxy(proxy),
		...(dashboard === undefined ? [] : aboutTheDashboard(dashboard, resident)),
		...(dashboard === undefined || hasOperator ? [] : ABOUT_THE_OPERATOR),
	];
}

function aboutTheToken(url: string, { reseller, token }: Resident): string[] {
	if (token === undefined) {
		return [
			`The token of ${reseller} was shown at the first start. For a new one, which ends the old one:`,
			`  npx bursar reseller revoke-token ${reseller}`,
			'',
		];
	}
	return [
		`A demo reseller, ${reseller}, has a balance, dozens of sub-users and 90 days of business.`,
		`For two weeks, the balances of its sub-users have paid for bandwidth: ${priceText(DEMO_PRICE)} USD a GB.`,
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

function aboutTheProxy(proxy: DemoProxy | undefined): string[] {
	if (!proxy) return [];
	return [
		`A proxy runs, too. This goes through it as ${proxy.username}, whose usage then shows the bytes:`,
		'',
		`  curl --noproxy '' -x ${proxy.url} ${proxy.pageUrl}`,
		'',
	];
}

const ABOUT_THE_OPERATOR = [
	"For the operator's half of the dashboard, run this in another terminal. It prints a link with which you become the first",
	'operator. Open it in a private window, because one browser is one person:',
	'',
	'  npx bursar operator claim',
	'',
];

function aboutTheDashboard(dashboard: string, { reseller, person }: Resident): string[] {
	if (!person) {
		const invite = `npx bursar reseller invite ${reseller} --email you@example.com`;
		return [`To open the dashboard, invite yourself: ${invite}`, ''];
	}
	const { email, password, linkSecret } = person;
	return [
		`This link opens the dashboard, once, as ${email}:`,
		'',
		`  ${linkUrl(dashboard, linkSecret)}`,
		'',
		...(password === undefined ? [] : [`The password of ${email} is shown only this once: ${password}`, '']),
	];
}
