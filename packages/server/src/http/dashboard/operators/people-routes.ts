import {
	type ActFilter,
	type ActKind,
	type AnyAct,
	normalizeEmail,
	normalizeEmailPart,
	ROWS_ON_A_PAGE,
	roleTarget,
} from '@bursar/contract/dashboard';
import { linkUrl, newId, newLink } from '../../../credentials.ts';
import type { ActsAfterQuery, StoredAct } from '../../../store/reads/business-reads.ts';
import { findReseller } from '../business/accounts.ts';
import type { Calls } from '../calls/calls.ts';
import { searchedTo } from '../calls/list-page.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import { time } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { type CsvFile, ROWS_ON_A_FILE_PAGE } from '../files/csv-files.ts';
import { dayOf, timeColumns } from '../files/csv-values.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { personView } from './reseller-details.ts';

interface PeopleDependencies
	extends Pick<DashboardDependencies, 'store' | 'accounts' | 'bank' | 'publicUrl' | 'nowMs'> {
	readonly sessions: Sessions;
}

const LOCKS = { lock_person: '/operator/people/lock', unlock_person: '/operator/people/unlock' } as const;

/** Invites, locks and resets people, and shows what all of them did, for operators. */
export function operatorPeopleRoutes(calls: Calls, dependencies: PeopleDependencies): void {
	const { store, accounts, bank, sessions, publicUrl } = dependencies;

	calls.change('/operator/people/invite', async ({ act, email: address, reseller: typedName, role }, call) => {
		const email = normalizeEmail(address);
		if (email === undefined || (typedName === null) !== (role === null)) return { refused: 'invalid_request' };
		const account = typedName === null ? undefined : await findReseller(accounts, typedName);
		if (typedName !== null && !account) return { refused: 'unknown_reseller' };
		const { secret, linkHash } = newLink();
		const outcome = await bank.changePerson({
			kind: 'invite_person',
			id: newId(),
			email,
			reseller: account?.username ?? null,
			role,
			linkHash,
			purpose: 'set_password',
			by: ownChange(call, sessions, { act, kind: 'invite_person', target: roleTarget(email, role) }),
		});
		return outcome.ok ? { data: linkView(secret, outcome) } : refusedBy(outcome);
	});

	calls.read('/operator/people', async () => {
		return { data: { operators: (await store.listPeopleOf(null)).map(personView) } };
	});

	for (const kind of ['lock_person', 'unlock_person'] as const) {
		calls.change(LOCKS[kind], async ({ act, email: address }, call) => {
			const email = normalizeEmail(address);
			if (email === undefined) return { refused: 'unknown_person' };
			const by = ownChange(call, sessions, { act, kind, target: email });
			const outcome = await bank.changePerson({ kind, email, by });
			return outcome.ok ? { data: {} } : refusedBy(outcome);
		});
	}

	calls.change('/operator/people/reset', async ({ act, email: address }, call) => {
		const email = normalizeEmail(address);
		if (email === undefined) return { refused: 'unknown_person' };
		const { secret, linkHash } = newLink();
		const by = ownChange(call, sessions, { act, kind: 'reset_person', target: email });
		const outcome = await bank.changePerson({ kind: 'reset_person', email, linkHash, by });
		return outcome.ok ? { data: linkView(secret, outcome) } : refusedBy(outcome);
	});

	calls.read('/operator/acts', async ({ before = Number.MAX_SAFE_INTEGER, ...filter }) => {
		const wanted = await storedFilter(filter);
		const { rows, nextBefore, searchedToMs } = await store.listAllActs({ ...wanted, before, limit: ROWS_ON_A_PAGE });
		return {
			data: {
				acts: rows.map(actView),
				next_before: nextBefore,
				searched_to: searchedTo({ found: rows.length, nextBefore, searchedToMs }),
			},
		};
	});

	/** The answer is the only place where the link ever stands. */
	function linkView(secret: string, { email, expiresAtMs }: { readonly email: string; readonly expiresAtMs: number }) {
		return { link: linkUrl(publicUrl(), secret), email, expires: time(expiresAtMs) };
	}

	calls.file('/operator/acts.csv', async ({ zone, ...filter }) => {
		const wanted = await storedFilter(filter);
		return { data: actsFile({ ...wanted, zone }, dependencies) };
	});

	/** The filter as the store knows it. The acts of one person have an index, so a whole address is looked up first. */
	async function storedFilter({ email, kind, from, to }: ActFilter) {
		const emailPart = normalizeEmailPart(email ?? '') || undefined;
		const record = emailPart === undefined ? undefined : await store.findPersonByEmail(emailPart);
		return {
			...(record ? { person: record.person.id } : { emailPart }),
			kind,
			fromMs: from === undefined ? undefined : Date.parse(from),
			toMs: to === undefined ? undefined : Date.parse(to),
		};
	}
}

type StoredFilter = Omit<ActsAfterQuery, 'after' | 'limit'>;

/** What was done as a file, the oldest first. */
function actsFile(
	{ zone, ...wanted }: StoredFilter & { readonly zone: string },
	{ store, nowMs }: Pick<PeopleDependencies, 'store' | 'nowMs'>,
): CsvFile {
	const times = timeColumns('time', zone);
	let after: number | null = 0;
	return {
		name: `acts-${dayOf(nowMs())}`,
		columns: ['number', ...times.names, 'action', 'what', 'person', 'reseller', 'token', 'system user', 'address'],
		async readNext() {
			if (after === null) return undefined;
			const { rows, nextAfter } = await store.listAllActsAfter({ ...wanted, after, limit: ROWS_ON_A_FILE_PAGE });
			after = nextAfter;
			return rows.map((act) => {
				const { number, atMs, kind, target, email, reseller, tokenTail, systemUser, address } = act;
				return [
					number,
					...times.values(atMs),
					kind,
					target,
					...[email, reseller, tokenTail, systemUser, address].map(orEmpty),
				];
			});
		},
	};
}

function orEmpty(text: string | null): string {
	return text ?? '';
}

function actView(act: StoredAct): AnyAct {
	const { number, kind, target, address, atMs, email, reseller, tokenTail, systemUser } = act;
	const by = { email, token_tail: tokenTail, system_user: systemUser, by_operator: isByOperator(act), reseller };
	return { number, kind: kind as ActKind, target, address, at: time(atMs), ...by };
}

function isByOperator({ tokenTail, email, emailReseller }: StoredAct): boolean {
	return tokenTail === null && (email === null || emailReseller === null);
}
