import type { Operation } from '../routes.ts';

/** A call that can follow an answer, and its body. Texts that begin with `$` are expressions of OpenAPI. */
interface Link {
	readonly operationId: Operation;
	readonly requestBody: Readonly<Record<string, unknown>>;
}

/** The calls that take what the answer of an operation tells: clients are made with them, and sequences of calls tested. */
export function linksOf(operationId: Operation): { readonly links?: Readonly<Record<string, Link>> } {
	const links = LINKS[operationId];
	return links ? { links: Object.fromEntries(links.map((link) => [link.operationId, link])) } : {};
}

const to = (operationId: Operation, requestBody: Link['requestBody']): Link => ({ operationId, requestBody });

const ID = { id: '$response.body#/data/id' };
const NAME = { username: '$response.body#/data/username' };
const NEXT = { after: '$response.body#/data/next' };

const ABOUT_SUB_USER = [
	to('viewSubUser', NAME),
	to('viewDetails', NAME),
	to('viewUsage', NAME),
	to('giveBalance', { ...NAME, amount_usd_cents: 1 }),
	to('takeBalance', { ...NAME, amount_usd_cents: 1 }),
	to('resetAuthKey', NAME),
	to('suspendSubUser', NAME),
	to('resumeSubUser', NAME),
	to('deleteSubUser', NAME),
];

const LINKS: Partial<Record<Operation, readonly Link[]>> = {
	createSubUser: ABOUT_SUB_USER,
	createSubUserWith: ABOUT_SUB_USER,
	viewSubUserPage: [to('viewSubUserPage', NEXT)],
	// A place belongs to an order, and this is the one in which programs follow the statement. It takes the places of the other too.
	viewStatementPage: [to('viewStatementPage', { ...NEXT, order: 'oldest' })],
	viewEventPage: [to('viewEventPage', NEXT)],
	createWebhook: [
		to('updateWebhook', { ...ID, enabled: false }),
		to('rotateWebhookSecret', ID),
		to('testWebhook', ID),
		to('viewWebhookTries', ID),
		to('deleteWebhook', ID),
	],
	createToken: [to('endToken', ID)],
	createTopUp: [to('viewTopUpPage', ID)],
	viewTopUpPage: [to('viewTopUpPage', NEXT)],
};
