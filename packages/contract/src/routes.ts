/**
 * Method and path of each operation, relative to the service's base address (docs/api.md 1.2).
 * They are not in the file of the schemas, so that a client need not load those.
 */
export const routes = {
	myInfo: { method: 'GET', path: '/reseller/my_info' },
	createSubUser: { method: 'POST', path: '/reseller/sub_users/create' },
	viewAllSubUsers: { method: 'GET', path: '/reseller/sub_users/view_all' },
	viewSubUser: { method: 'POST', path: '/reseller/sub_users/view_single' },
	viewUsage: { method: 'POST', path: '/reseller/sub_users/view_txs' },
	resetAuthKey: { method: 'POST', path: '/reseller/sub_users/reset_auth_key' },
	giveBalance: { method: 'POST', path: '/reseller/sub_users/give_balance' },
	takeBalance: { method: 'POST', path: '/reseller/sub_users/take_balance' },
	viewChange: { method: 'POST', path: '/reseller/changes/view' },
	viewAccount: { method: 'POST', path: '/reseller/account/view' },
	createSubUserWith: { method: 'POST', path: '/reseller/sub_users/create_with' },
	suspendSubUser: { method: 'POST', path: '/reseller/sub_users/suspend' },
	resumeSubUser: { method: 'POST', path: '/reseller/sub_users/resume' },
	setLimits: { method: 'POST', path: '/reseller/sub_users/set_limits' },
	setNote: { method: 'POST', path: '/reseller/sub_users/set_note' },
	viewDetails: { method: 'POST', path: '/reseller/sub_users/view_details' },
	viewSubUserPage: { method: 'POST', path: '/reseller/sub_users/view_page' },
	viewStatementPage: { method: 'POST', path: '/reseller/statement/view_page' },
	deleteSubUser: { method: 'POST', path: '/reseller/sub_users/delete' },
	viewEventPage: { method: 'POST', path: '/reseller/events/view_page' },
	createWebhook: { method: 'POST', path: '/reseller/webhooks/create' },
	viewAllWebhooks: { method: 'POST', path: '/reseller/webhooks/view_all' },
	updateWebhook: { method: 'POST', path: '/reseller/webhooks/update' },
	deleteWebhook: { method: 'POST', path: '/reseller/webhooks/delete' },
	rotateWebhookSecret: { method: 'POST', path: '/reseller/webhooks/rotate_secret' },
	testWebhook: { method: 'POST', path: '/reseller/webhooks/test' },
	viewWebhookTries: { method: 'POST', path: '/reseller/webhooks/view_tries' },
} as const;

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
	| 'viewWebhookTries';
