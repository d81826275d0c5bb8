import type { ResellerScope } from './scopes.ts';

/** Only the one token of the reseller may do it: what gives out other secrets, or sends data elsewhere. */
export const ONE_TOKEN = 'one_token';

/** One operation, and the scopes that a further token needs, all of them. With none, any token may do it. */
interface Route {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly scopes: readonly ResellerScope[] | typeof ONE_TOKEN;
}

/**
 * Method and path of each operation, relative to the service's base address (docs/api.md 1.2).
 * They are not in the file of the schemas, so that a client need not load those.
 * `read` tells no key, `sub_users` tells keys and spends fees, and `money` moves balances, and begins payments and shows them:
 * a program that begins one must be able to find it, and who only reads shall not see where it can be paid.
 */
export const routes = {
	myInfo: { method: 'GET', path: '/reseller/my_info', scopes: ['sub_users'] },
	createSubUser: { method: 'POST', path: '/reseller/sub_users/create', scopes: ['sub_users'] },
	viewAllSubUsers: { method: 'GET', path: '/reseller/sub_users/view_all', scopes: ['sub_users'] },
	viewSubUser: { method: 'POST', path: '/reseller/sub_users/view_single', scopes: ['sub_users'] },
	viewUsage: { method: 'POST', path: '/reseller/sub_users/view_txs', scopes: ['read'] },
	resetAuthKey: { method: 'POST', path: '/reseller/sub_users/reset_auth_key', scopes: ['sub_users'] },
	giveBalance: { method: 'POST', path: '/reseller/sub_users/give_balance', scopes: ['money'] },
	takeBalance: { method: 'POST', path: '/reseller/sub_users/take_balance', scopes: ['money'] },
	viewChange: { method: 'POST', path: '/reseller/changes/view', scopes: [] },
	viewAccount: { method: 'POST', path: '/reseller/account/view', scopes: ['read'] },
	createSubUserWith: { method: 'POST', path: '/reseller/sub_users/create_with', scopes: ['sub_users', 'money'] },
	suspendSubUser: { method: 'POST', path: '/reseller/sub_users/suspend', scopes: ['sub_users'] },
	resumeSubUser: { method: 'POST', path: '/reseller/sub_users/resume', scopes: ['sub_users'] },
	setLimits: { method: 'POST', path: '/reseller/sub_users/set_limits', scopes: ['sub_users'] },
	setNote: { method: 'POST', path: '/reseller/sub_users/set_note', scopes: ['sub_users'] },
	viewDetails: { method: 'POST', path: '/reseller/sub_users/view_details', scopes: ['read'] },
	viewSubUserPage: { method: 'POST', path: '/reseller/sub_users/view_page', scopes: ['sub_users'] },
	viewStatementPage: { method: 'POST', path: '/reseller/statement/view_page', scopes: ['read'] },
	deleteSubUser: { method: 'POST', path: '/reseller/sub_users/delete', scopes: ['sub_users'] },
	viewEventPage: { method: 'POST', path: '/reseller/events/view_page', scopes: ['read'] },
	createWebhook: { method: 'POST', path: '/reseller/webhooks/create', scopes: ONE_TOKEN },
	viewAllWebhooks: { method: 'POST', path: '/reseller/webhooks/view_all', scopes: ONE_TOKEN },
	updateWebhook: { method: 'POST', path: '/reseller/webhooks/update', scopes: ONE_TOKEN },
	deleteWebhook: { method: 'POST', path: '/reseller/webhooks/delete', scopes: ONE_TOKEN },
	rotateWebhookSecret: { method: 'POST', path: '/reseller/webhooks/rotate_secret', scopes: ONE_TOKEN },
	testWebhook: { method: 'POST', path: '/reseller/webhooks/test', scopes: ONE_TOKEN },
	viewWebhookTries: { method: 'POST', path: '/reseller/webhooks/view_tries', scopes: ONE_TOKEN },
	createToken: { method: 'POST', path: '/reseller/tokens/create', scopes: ONE_TOKEN },
	viewAllTokens: { method: 'POST', path: '/reseller/tokens/view_all', scopes: ONE_TOKEN },
	endToken: { method: 'POST', path: '/reseller/tokens/end', scopes: ONE_TOKEN },
	createTopUp: { method: 'POST', path: '/reseller/top_ups/create', scopes: ['money'] },
	viewTopUpPage: { method: 'POST', path: '/reseller/top_ups/view_page', scopes: ['money'] },
} as const satisfies Readonly<Record<string, Route>>;

/** The name of an operation, in generated clients too. */
export type Operation = keyof typeof routes;

/** The operations that another server of this API need not have. */
export type OwnOperation =
	| 'viewAccount'
	| 'viewChange'
	| 'createSubUserWith'
	| 'suspendSubUser'
	| 'resumeSubUser'
	| 'setLimits'
	| 'setNote'
	| 'deleteSubUser'
	| 'viewDetails'
	| 'viewSubUserPage'
	| 'viewStatementPage'
	| 'viewEventPage'
	| 'createWebhook'
	| 'viewAllWebhooks'
	| 'updateWebhook'
	| 'deleteWebhook'
	| 'rotateWebhookSecret'
	| 'testWebhook'
	| 'viewWebhookTries'
	| 'createToken'
	| 'viewAllTokens'
	| 'endToken'
	| 'createTopUp'
	| 'viewTopUpPage';
