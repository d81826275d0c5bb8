import { USAGE_SHOWN_DAYS } from '@bursar/contract';
import {
	expectAccepted,
	expectArray,
	expectEqual,
	expectFields,
	expectForm,
	expectThat,
	fieldOf,
	NotTestable,
} from '../expect.ts';
import type { Rule } from '../run/rule.ts';
import type { Session } from '../run/session.ts';
import { UTC_DATE } from './reads.ts';

const RECORD = 'docs/api.md 6.6 The bandwidth record';
const USAGE = 'docs/api.md 7.4 View txs';
const DAY_MS = 86_400_000;
const DATE_LENGTH = '2026-11-21'.length;
/** How many sub-users the suite asks for usage at most. */
const MOST_ASKED = 100;

/** The bandwidth records of sub-users. */
export const usageRules: readonly Rule[] = [
	{
		name: 'usage.none',
		basis: 'bursar',
		guarantee: 'view_txs answers an empty array for a sub-user without usage.',
		source: USAGE,
		needs: ['sub-user'],
		async check({ api, subUser }) {
			const answer = await api.viewTxs(subUser());
			expectEqual(`data of ${answer.asked} for a new sub-user`, expectAccepted(answer), []);
		},
	},
	{
		name: 'usage.record',
		basis: 'contract',
		guarantee: 'A bandwidth record has exactly bandwidth, with up and down in bytes, and timestamp.',
		source: RECORD,
		async check(session) {
			for (const record of await someUsage(session)) {
				const { bandwidth } = expectFields('a record', record, ['bandwidth', 'timestamp'], session.heldTo);
				const counters = expectFields('bandwidth of a record', bandwidth, ['up', 'down'], session.heldTo);
				for (const name of ['up', 'down']) {
					const bytes = counters[name];
					const isGood = Number.isSafeInteger(bytes) && (bytes as number) >= 0;
					expectThat(isGood, `bandwidth.${name}`, 'an integer of 0 or more', bytes);
				}
			}
		},
	},
	{
		name: 'usage.start-of-day',
		basis: 'contract',
		guarantee: 'The timestamp of a record is the start of a UTC day, like 2026-11-21T00:00:00.000Z.',
		source: `${RECORD}; docs/api.md 6.4 Dates`,
		async check(session) {
			for (const record of await someUsage(session)) {
				const timestamp = fieldOf(record, 'timestamp');
				const pattern = session.heldTo === 'contract' ? UTC_DATE : /^\d{4}-\d\d-\d\dT00:00:00\.000Z$/;
				expectForm('the timestamp of a record', timestamp, pattern, 'the start of a UTC day');
				const isStart = Date.parse(timestamp as string) % DAY_MS === 0;
				expectThat(isStart, 'the timestamp of a record', 'the start of a UTC day', timestamp);
			}
		},
	},
	{
		name: 'usage.one-record-a-day',
		basis: 'contract',
		guarantee: 'Each UTC day has at most one record.',
		source: USAGE,
		async check(session) {
			const days = (await someUsage(session)).map((record) =>
				String(fieldOf(record, 'timestamp')).slice(0, DATE_LENGTH),
			);
			const repeated = days.filter((day, index) => days.indexOf(day) !== index);
			expectEqual('days with more than one record', repeated, []);
		},
	},
	{
		name: 'usage.window',
		basis: 'contract',
		guarantee: 'Every record is from today or the 89 days before it.',
		source: USAGE,
		async check(session) {
			const beforeMs = Date.now();
			const records = await someUsage(session);
			// The clock of this machine may be an hour off, so another day may have begun there.
			// The contract does not say whether today is one of the 90 days.
			const daysBefore = session.heldTo === 'contract' ? USAGE_SHOWN_DAYS : USAGE_SHOWN_DAYS - 1;
			const firstMs = startOfDay(beforeMs - HOUR_MS) - daysBefore * DAY_MS;
			const lastMs = startOfDay(Date.now() + HOUR_MS);
			for (const record of records) {
				const timestamp = fieldOf(record, 'timestamp');
				const atMs = Date.parse(String(timestamp));
				const window = `from ${new Date(firstMs).toISOString()} to ${new Date(lastMs).toISOString()}`;
				expectThat(atMs >= firstMs && atMs <= lastMs, 'the timestamp of a record', window, timestamp);
			}
		},
	},
];

const HOUR_MS = 3_600_000;

function startOfDay(atMs: number): number {
	return Math.floor(atMs / DAY_MS) * DAY_MS;
}

interface Usage {
	readonly username: string;
	readonly records: readonly unknown[];
}

const found = new WeakMap<Session, Promise<Usage>>();

/** Looks once in a run. The API cannot create usage, so it must exist already. */
async function usageIn(session: Session): Promise<Usage> {
	const looking = found.get(session) ?? mostUsage(session);
	found.set(session, looking);
	const usage = await looking;
	if (usage.records.length === 0) throw new NotTestable('no sub-user of this reseller has usage');
	return usage;
}

async function someUsage(session: Session): Promise<readonly unknown[]> {
	return (await usageIn(session)).records;
}

/** The sub-user with the most records. */
export async function userWithUsage(session: Session): Promise<string> {
	return (await usageIn(session)).username;
}

/** Asks the oldest sub-users first, because they had the most time. */
async function mostUsage({ api }: Session): Promise<Usage> {
	const all = expectArray('data of view_all', expectAccepted(await api.viewAll()));
	const age = (subUser: unknown) => String(fieldOf(subUser, 'date_created'));
	const oldest = all.toSorted((one, other) => (age(one) < age(other) ? -1 : 1)).slice(0, MOST_ASKED);
	let most: Usage = { username: '', records: [] };
	for (const subUser of oldest) {
		const username = fieldOf(subUser, 'username');
		const answer = await api.viewTxs(username);
		const records = expectArray(`data of ${answer.asked}`, expectAccepted(answer));
		if (records.length > most.records.length) most = { username: String(username), records };
		if (most.records.length >= USAGE_SHOWN_DAYS) break;
	}
	return most;
}
