import type { Found } from '@bursar/contract/dashboard';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { serverNowMs } from '../../calls/server-clock.ts';
import { moneyText } from '../../format/money.ts';
import { momentText } from '../../format/time.ts';
import {
	paymentPath,
	resellerPath,
	resellerSubUserPath,
	resellerWebhooksPath,
	statementPaths,
	subUserPath,
	topUpPath,
} from '../../page/paths.ts';
import type { ShellPage } from '../../shell/pages.ts';
import { actText } from '../acts/act-text.ts';
import { refusedAt } from '../refusals/refused-at.ts';
import { refusalTexts } from '../refusals/texts.ts';
import { statementTexts } from '../statement/texts.ts';
import { searchTexts } from './texts.ts';

/** One thing that was found, and the page that shows it. */
interface Hit {
	readonly name: string;
	/** What tells it from others of its name. */
	readonly details?: string | undefined;
	readonly path: string;
}

export interface HitGroup {
	readonly kind: keyof typeof searchTexts.groups;
	/** Never empty. */
	readonly hits: readonly Hit[];
}

/** The hits of a search by kind. `places`: the pages that the text means. Operators see whose each hit is. */
export function hitGroups(
	places: readonly ShellPage[],
	found: Found | undefined,
	{ isOperator }: { readonly isOperator: boolean },
): readonly HitGroup[] {
	const groups: readonly HitGroup[] = [
		{ kind: 'pages', hits: places.map(({ label, path }) => ({ name: label, path })) },
		...(found === undefined ? [] : foundGroups(found, isOperator)),
	];
	return groups.filter(({ hits }) => hits.length > 0);
}

/** What the details and the addresses of hits depend on. */
interface View {
	readonly isOperator: boolean;
	/** The reseller of a hit, which only operators are told. */
	whose(reseller: string): string | undefined;
	/** The page of a sub-user. */
	subUser(reseller: string, username: string): string;
}

function foundGroups(found: Found, isOperator: boolean): readonly HitGroup[] {
	const view: View = {
		isOperator,
		whose: (reseller) => (isOperator ? reseller : undefined),
		subUser: (reseller, username) => (isOperator ? resellerSubUserPath(reseller, username) : subUserPath(username)),
	};
	return [...namedGroups(found, view), ...doneGroups(found, view), ...programGroups(found, view)];
}

/** What has a name. */
function namedGroups(found: Found, view: View): readonly HitGroup[] {
	return [
		{
			kind: 'resellers',
			hits: found.resellers.map(({ reseller, note }) => ({
				name: reseller,
				details: textOf(note),
				path: resellerPath(reseller),
			})),
		},
		{
			kind: 'sub_users',
			hits: [
				...found.sub_users.map((subUser) => ({
					name: subUser.username,
					details: subUserText(subUser, view.isOperator),
					path: view.subUser(subUser.reseller, subUser.username),
				})),
				...found.deleted_sub_users.map(({ username, reseller }) => ({
					name: username,
					details: textOf(searchTexts.deleted, view.whose(reseller)),
					path: view.subUser(reseller, username),
				})),
			],
		},
		{
			kind: 'people',
			hits: found.people.map(({ email, reseller }) => ({
				name: email,
				details: view.isOperator ? (reseller ?? searchTexts.operator) : undefined,
				path: view.isOperator ? `/people?search=${encodeURIComponent(email)}` : '/team',
			})),
		},
		{ kind: 'edges', hits: found.edges.map((name) => ({ name, path: '/edges' })) },
	];
}

/** What was done. */
function doneGroups(found: Found, view: View): readonly HitGroup[] {
	return [
		{
			kind: 'movements',
			hits: [
				...found.movements.map((movement) => ({
					name: statementTexts.number(String(movement.number)),
					details: movementText(movement, view),
					path: movementPath(movement, view),
				})),
				...found.payments.map((payment) => ({
					name: payment.reference,
					details: movementText(payment, view),
					path: movementPath(payment, view),
				})),
				...found.references.map(({ reference, reseller }) => ({
					name: reference,
					details: textOf(view.whose(reseller)),
					path: statementPaths(view.whose(reseller)).list({ reference }),
				})),
			],
		},
		{
			kind: 'top_ups',
			hits: found.top_ups.map(({ id, reseller, provider, amount, at }) => ({
				name: id,
				details: textOf(moneyText(amount), PROVIDER_TITLES[provider], momentText(at), view.whose(reseller)),
				path: view.isOperator ? paymentPath(id) : topUpPath(id),
			})),
		},
		{
			kind: 'changes',
			hits: found.changes.map(({ username, error, at, reseller }) => ({
				name: username ?? searchTexts.noName,
				details: textOf(error ?? undefined, momentText(at), view.whose(reseller)),
				path: username === null ? '/activity' : view.subUser(reseller, username),
			})),
		},
		{
			kind: 'acts',
			hits: [
				...found.acts.map((act) => ({
					name: actText({ ...act, details: null }),
					details: textOf(momentText(act.at), view.whose(act.reseller ?? '')),
					path: `/activity?before=${act.number + 1}`,
				})),
				...(found.address === null
					? []
					: [
							{
								name: searchTexts.fromAddress(found.address),
								path: `/activity?address=${encodeURIComponent(found.address)}`,
							},
						]),
			],
		},
	];
}

type FoundMovement = Found['movements'][number];

function movementPath({ reseller, number }: FoundMovement, { whose }: View): string {
	return `${statementPaths(whose(reseller)).list()}?before=${number + 1}`;
}

function movementText({ kind, at, reseller }: FoundMovement, { whose }: View): string | undefined {
	return textOf(statementTexts.kinds[kind], momentText(at), whose(reseller));
}

/** What programs have. */
function programGroups(found: Found, view: View): readonly HitGroup[] {
	return [
		{
			kind: 'tokens',
			hits: found.tokens.map(({ name, tail, reseller }) => ({
				name: name ?? searchTexts.mainToken,
				details: textOf(`…${tail}`, view.isOperator ? (reseller ?? searchTexts.operator) : undefined),
				path: !view.isOperator ? '/token' : reseller === null ? '/api-tokens' : resellerPath(reseller),
			})),
		},
		{
			kind: 'webhooks',
			hits: found.webhooks.map(({ id, host, reseller }) => ({
				name: host,
				details: textOf(view.whose(reseller)),
				path: view.isOperator ? resellerWebhooksPath(reseller) : `/webhooks/${encodeURIComponent(id)}`,
			})),
		},
	];
}

function subUserText({ reseller, note, refused }: Found['sub_users'][number], isOperator: boolean): string | undefined {
	if (!isOperator) return textOf(note);
	if (!refused) return reseller;
	const { at, edge, reason } = refused;
	return refusalTexts.found(reseller, refusedAt(at, serverNowMs()), edge, refusalTexts.reasons[reason]);
}

function textOf(...parts: readonly (string | undefined)[]): string | undefined {
	const text = parts.filter((part) => part !== undefined && part !== '').join(' · ');
	return text === '' ? undefined : text;
}
