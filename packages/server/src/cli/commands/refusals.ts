import { ACCOUNT_REFUSALS } from '@bursar/contract/account-refusals';
import { CommandError, print, printTable, recordLines } from '@bursar/terminal';
import { Command } from 'commander';
import { type RefusalHour, refusalsByReason } from '../../domain/account-refusals.ts';
import { pairStateOf } from '../../domain/pair-state.ts';
import { firstKeptHour, startOfHourMs } from '../../domain/usage-hours.ts';
import type { Store } from '../../store/store.ts';
import { username } from '../arguments.ts';
import { iso, printResult } from '../output.ts';
import { inSession } from '../session.ts';

/** `bursar refusals NAME`: what the proxies refuse of an account, and why. */
export function refusalsCommand(): Command {
	return new Command('refusals')
		.description('show whether the proxies accept an account, and what they refused of it in the last 8 days')
		.argument('<name>', 'a sub-user or a reseller', username)
		.addHelpText('after', '\nExample:\n  $ bursar refusals alice\n')
		.action((name: string, options: { json?: boolean }) => showRefusals(name, options));
}

async function showRefusals(name: string, { json }: { json?: boolean }): Promise<void> {
	const { reseller, state, hours } = await inSession(({ store }) => readAccount(store, name));
	const reasons = refusalsByReason(hours).map(({ reason, count, atMs, edge, network }) => ({
		...{ reason, count, at: iso(atMs), edge, network },
	}));
	const [last] = reasons;
	if (json) {
		return printResult({ username: name, reseller, state, refusals: reasons, hours: hours.map(hourFields) }, true);
	}
	const refused = last && `${last.at} at ${last.edge}: ${ACCOUNT_REFUSALS[last.reason]}`;
	print(recordLines({ username: name, reseller, state, refused: refused ?? 'not in the last 8 days' }));
	if (!last) return;
	print(['']);
	printTable(
		[{ title: 'REASON' }, { title: 'TIMES', isNumber: true }, { title: 'LAST' }, { title: 'EDGE' }, { title: 'FROM' }],
		reasons.map(({ reason, count, at, edge, network }) => [reason, String(count), at, edge, network ?? '-']),
	);
}

async function readAccount(store: Store, name: string) {
	const reseller = await resellerOf(store, name);
	const atMs = store.nowMs();
	const usernames = [name];
	const [bounds, hours] = await Promise.all([
		reseller === undefined ? undefined : store.readPairBounds({ reseller, usernames, atMs }),
		store.listRefusals({ owner: name, usernames, firstHour: firstKeptHour(atMs) }),
	]);
	const own = bounds?.get(name);
	if (!own) throw new CommandError('unknown_account', 'there is no sub-user and no reseller with that name');
	return { reseller, state: pairStateOf(own, atMs), hours };
}

async function resellerOf(store: Store, name: string): Promise<string | undefined> {
	// The names that begin with it come first, in their order.
	const { rows } = await store.searchAllSubUsers(name, 1);
	const [found] = rows;
	if (found?.username === name) return found.reseller;
	return (await store.findAccount(name, name)) && name;
}

function hourFields({ hour, reason, count }: RefusalHour) {
	return { hour: iso(startOfHourMs(hour)), reason, count };
}
