import Type, { type StaticDecode, type TObject, type TSchema } from 'typebox';
import { REFERENCE_FORM } from '../reference.ts';
import { MOVEMENT_KINDS, PAIR_STATES } from '../sub-user-terms.ts';
import type { BandwidthRange } from './bandwidth-shapes.ts';
import { Day } from './bodies.ts';
import { MAX_PERIODS } from './limits.ts';
import type { DashboardFiles, DashboardReads, ShownDays } from './reads.ts';
import { MAX_SEARCH_CHARACTERS } from './search-shapes.ts';
import { ACT_KINDS, type ActKind } from './shapes.ts';

const Text = Type.String();
/** A text that the store searches unchanged. PostgreSQL accepts no NUL: the store would seem to be away. */
const AskedText = Type.Refine(Text, (text) => !text.includes('\0'));
/** What people type into a search. */
const Typed = Type.Refine(Text, (text) => text.length <= MAX_SEARCH_CHARACTERS && !/\p{Cc}/u.test(text));
const WholeNumber = Type.Decode(Type.String({ pattern: '^\\d{1,15}$' }), Number);
const Days = Type.Decode(
	Type.Enum(['7', '30', '90', 'month'] as const),
	(days): ShownDays => (days === 'month' ? days : (Number(days) as 7 | 30 | 90)),
);
const Time = Type.Refine(Text, isTime);
/** Times with commas between, as Unix milliseconds, each later than the previous one. */
const Bounds = Type.Decode(
	Type.Refine(Text, (text) => {
		const times = text.split(',');
		const areTimes = times.length >= 2 && times.length <= MAX_PERIODS + 1 && times.every(isTime);
		return (
			areTimes && times.every((time, index) => index === 0 || Date.parse(time) > Date.parse(times[index - 1] ?? ''))
		);
	}),
	(text) => text.split(',').map((time) => Date.parse(time)),
);
/** A time zone that `Intl` knows, like `Europe/Berlin`. */
const Zone = Type.Refine(Type.String({ pattern: '^[A-Za-z0-9_+:/-]{1,64}$' }), (text) => {
	try {
		return Intl.DateTimeFormat('en', { timeZone: text }) !== undefined;
	} catch {
		return false;
	}
});

const range = { from: Type.Optional(Time), to: Type.Optional(Time) };
const movements = {
	kind: Type.Optional(Type.Enum(MOVEMENT_KINDS)),
	money: Type.Optional(Type.Enum(['own', 'no_bandwidth'])),
	username: Type.Optional(Text),
	reference: Type.Optional(Type.String({ pattern: REFERENCE_FORM.source })),
	...range,
};
/** With each kind as a type of its own, the compiler would give up. */
const AnyActKind = Type.Unsafe<ActKind>(Type.Enum([...ACT_KINDS]));
const acts = {
	email: Type.Optional(AskedText),
	address: Type.Optional(AskedText),
	kind: Type.Optional(AnyActKind),
	username: Type.Optional(Text),
	...range,
};
const position = { after: Type.Optional(Text), before: Type.Optional(Text) };
const search = { search: Type.Optional(Text), match: Type.Optional(Type.Enum(['beginning', 'anywhere'])) };
const state = { state: Type.Optional(Type.Enum([...PAIR_STATES, 'refused'] as const)) };
const subUserOrder = Type.Optional(
	Type.Enum(['name', '-name', 'balance', '-balance', 'created', '-created', 'bandwidth', '-bandwidth']),
);
const resellerOrder = Type.Optional(
	Type.Enum([
		...(['name', '-name', 'balance', '-balance', 'last_used', '-last_used', 'created', '-created'] as const),
		...(['bandwidth', '-bandwidth', 'refused', '-refused'] as const),
	]),
);
/** The route says whether there is such a range. */
const Range = Type.Unsafe<BandwidthRange>(Type.String({ maxLength: 30 }));
const spans = { range: Range, unit: Type.Optional(Type.Enum(['hour', 'day'])) };
const bandwidth = { ...spans, username: Type.Optional(Text), edge: Type.Optional(AskedText) };
const page = { before: Type.Optional(WholeNumber) };
const periods = { bounds: Bounds, username: Type.Optional(Text) };
const lines = { from: WholeNumber, before: WholeNumber };

const Empty = queryOf({});
/** The queries of all reads and files. */
export const QUERIES = {
	'/session': Empty,
	'/account': Empty,
	'/account/acts': queryOf(page),
	'/account/mail': Empty,
	'/letterhead': Empty,
	'/proxy-access': Empty,
	'/token': Empty,
	'/tokens': Empty,
	'/operator/tokens': Empty,
	'/webhooks': Empty,
	'/webhooks/tries': queryOf({ id: AskedText }),
	'/search': queryOf({ text: Typed }),
	'/suspension': Empty,
	'/first-steps': Empty,
	'/overview': Empty,
	'/metering': Empty,
	'/bandwidth': queryOf({ ...bandwidth, by: Type.Optional(Type.Enum(['sub_user', 'edge'])) }),
	'/bandwidth/top': queryOf(spans),
	'/sub-users': queryOf({ ...search, ...state, ...position, order: subUserOrder }),
	'/sub-users/count': queryOf({ ...search, ...state, order: subUserOrder, first: Type.Optional(Text) }),
	'/sub-users/names': queryOf({ ...search, ...state }),
	'/sub-users/states': Empty,
	'/sub-users/name': queryOf({ username: Text }),
	'/sub-user': queryOf({ username: Text }),
	'/deleted-sub-user': queryOf({ username: Text }),
	'/statement': queryOf({ ...movements, ...page }),
	'/statement/references': queryOf({ text: Typed }),
	'/statement/periods': queryOf(periods),
	'/statement/lines': queryOf(lines),
	'/operator/health': Empty,
	'/operator/first-steps': Empty,
	'/operator/money': Empty,
	'/operator/search': queryOf({ text: Typed }),
	'/top-ups': queryOf(position),
	'/top-ups/view': queryOf({ id: AskedText }),
	'/team': Empty,
	'/activity': queryOf({ ...acts, ...page }),
	'/operator/resellers': queryOf({ ...position, search: Type.Optional(Text), order: resellerOrder }),
	'/operator/reseller': queryOf({ reseller: Text }),
	'/operator/sub-users': queryOf({ ...search, ...state, ...position, order: subUserOrder, reseller: Text }),
	'/operator/sub-user': queryOf({ reseller: Text, username: Text }),
	'/operator/bandwidth': queryOf({
		...bandwidth,
		reseller: Type.Optional(Text),
		by: Type.Optional(Type.Enum(['sub_user', 'edge', 'reseller'])),
	}),
	'/operator/bandwidth/top': queryOf(spans),
	'/operator/statement': queryOf({ ...movements, ...page, reseller: Text }),
	'/operator/statement/references': queryOf({ text: Typed, reseller: Text }),
	'/operator/statement/periods': queryOf({ ...periods, reseller: Text }),
	'/operator/statement/lines': queryOf({ ...lines, reseller: Text }),
	'/operator/payments': queryOf({
		...position,
		reseller: Type.Optional(Text),
		only: Type.Optional(Type.Enum(['waiting', 'findings'])),
	}),
	'/operator/payment': queryOf({ id: AskedText }),
	'/operator/people': queryOf({
		...position,
		search: Type.Optional(AskedText),
		of: Type.Optional(Type.Enum(['operators', 'resellers'])),
	}),
	'/operator/income': queryOf({ days: Days }),
	'/operator/usage': Empty,
	'/operator/usage/day': queryOf({ reseller: Text, username: Text, day: Day }),
	'/operator/webhooks': queryOf({ ...position, search: Type.Optional(Text) }),
	'/operator/brand': Empty,
	'/operator/edges': Empty,
	'/operator/mail': Empty,
	'/operator/ledger': Empty,
	'/operator/acts': queryOf({ ...acts, ...page }),
	'/sub-users.csv': queryOf({ zone: Zone }),
	'/bandwidth.csv': queryOf({ ...bandwidth, zone: Zone }),
	'/statement.csv': queryOf({ ...movements, zone: Zone }),
	'/operator/statement.csv': queryOf({ ...movements, reseller: Text, zone: Zone }),
	'/activity.csv': queryOf({ ...acts, zone: Zone }),
	'/operator/acts.csv': queryOf({ ...acts, zone: Zone }),
} as const satisfies { readonly [Path in keyof Queries]: TObject<Record<keyof Queries[Path]['query'], TSchema>> };

type Queries = DashboardReads & DashboardFiles;
/** The query of a call, once it was read. */
export type QueryOf<Path extends keyof Queries> = StaticDecode<(typeof QUERIES)[Path]>;

/** Whether `toISOString` has written it. */
function isTime(text: string): boolean {
	const ms = Date.parse(text);
	return !Number.isNaN(ms) && new Date(ms).toISOString() === text;
}

/** A filter that is unknown must not be ignored, so a query may have no other names. */
function queryOf<Properties extends Record<string, TSchema>>(properties: Properties) {
	return Type.Object(properties, { additionalProperties: false });
}
