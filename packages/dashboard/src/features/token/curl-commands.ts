import { type Operation, routes } from '@bursar/contract/routes';
import { quoteForShell } from '../../format/quote.ts';

const WEBHOOK = { id: 'whe_6Tq1XrVn0KbZ8sWdP3mYc7' };
const ALICE = { username: 'alice.smith' };
/** The body that a command sends as an example. */
const BODIES: Partial<Record<Operation, Readonly<Record<string, unknown>>>> = {
	createSubUser: ALICE,
	viewSubUser: ALICE,
	viewUsage: ALICE,
	resetAuthKey: ALICE,
	giveBalance: { ...ALICE, amount_usd_cents: 250 },
	takeBalance: { ...ALICE, amount_usd_cents: 250 },
	viewAccount: {},
	viewChange: { change_id: 'mgd3k1c0-Vn4xT8sQp2LzRw' },
	createSubUserWith: {
		username: 'carol.lee',
		amount_usd_cents: 2500,
		limits: { total_bytes: 10_000_000_000, expires_at: '2026-12-21T09:30:00Z' },
		note: 'order 1042',
	},
	suspendSubUser: ALICE,
	resumeSubUser: ALICE,
	setLimits: { ...ALICE, day_bytes: 2_000_000_000, expires_at: '2026-12-31T23:00:00Z' },
	setNote: { ...ALICE, note: 'pays by invoice' },
	deleteSubUser: ALICE,
	viewDetails: ALICE,
	viewSubUserPage: { limit: 2, usable: false },
	viewStatementPage: { order: 'oldest', limit: 1, from: '2026-11-01', reference: 'order-7781' },
	createWebhook: { url: 'https://shop.example.com/bursar/events', types: ['sub_user.unusable', 'sub_user.usable'] },
	viewAllWebhooks: {},
	updateWebhook: { ...WEBHOOK, types: null, enabled: true, position: 7 },
	deleteWebhook: WEBHOOK,
	rotateWebhookSecret: WEBHOOK,
	testWebhook: WEBHOOK,
	viewWebhookTries: WEBHOOK,
	createToken: {
		...{ name: 'shop', scopes: ['read', 'money'] },
		...{ expires_at: '2027-06-30T22:00:00.000Z', allowed_ips: ['192.0.2.0/24'] },
	},
	viewAllTokens: {},
	endToken: { id: 'tok_2Vb8sQn4XkZ0rTfM7wYc1L' },
	createTopUp: { provider: 'stripe', amount_usd_cents: 5000 },
	viewTopUpPage: { id: 'pay_4fQ9sLw2ZbT7xKc1Vn4xT8' },
	viewEventPage: { after: '0', limit: 1, types: ['sub_user.suspended', 'sub_user.resumed'] },
};

interface CurlCommand {
	readonly operation: Operation;
	readonly method: 'GET' | 'POST';
	readonly path: string;
	/** For a shell in which `BURSAR_TOKEN` holds the token. */
	readonly command: string;
}

/** A command for each endpoint of the API, in the order of the contract. */
export function curlCommands(apiUrl: string): readonly CurlCommand[] {
	const operations = Object.keys(routes) as Operation[];
	return operations.map((operation) => {
		const { method, path } = routes[operation];
		const lines = ['curl -H "Authorization: Bearer $BURSAR_TOKEN"', quoteForShell(withoutEndSlash(apiUrl) + path)];
		const body = BODIES[operation];
		if (body !== undefined) {
			lines.splice(1, 0, "-H 'Content-Type: application/json'", `-d ${quoteForShell(JSON.stringify(body))}`);
		}
		return { operation, method, path, command: lines.join(' \\\n  ') };
	});
}

function withoutEndSlash(url: string): string {
	return url.replace(/\/+$/, '');
}
