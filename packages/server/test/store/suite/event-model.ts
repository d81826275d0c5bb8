import { createMeteringModel } from './metering-model.ts';

/** An event that the model expects. */
export interface ExpectedEvent {
	readonly type: string;
	readonly username: string | null;
	readonly data: Readonly<Record<string, unknown>>;
	readonly atMs: number;
	/** Whether it was asked for: then it has a request. */
	readonly isAsked: boolean;
}

export interface ModelLimits {
	readonly dayBytes?: number | null | undefined;
	readonly monthBytes?: number | null | undefined;
	readonly totalBytes?: number | null | undefined;
	readonly expiresAtMs?: number | null | undefined;
}

interface ModelSubUser {
	suspended: boolean;
	limits: ModelLimits;
	/** Bytes by UTC day, as `2026-11-21`. */
	readonly used: Map<string, number>;
	told: string | null;
}

const NO_LIMITS = { dayBytes: null, monthBytes: null, totalBytes: null, expiresAtMs: null };
const LINE = 500;

/**
 * What a reseller is told, written from DESIGN's words and docs/api.md 12, and not from the server's code. Money is that of the
 * metering model.
 */
export function createEventModel(reseller: string, openingCents: number) {
	const money = createMeteringModel(reseller, openingCents);
	const subUsers = new Map<string, ModelSubUser>();
	const events: ExpectedEvent[] = [];
	let isPriced = false;
	let price: number | null = null;
	let isPriceUnjudged = false;

	const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
	const tell = (type: string, username: string | null, data: ExpectedEvent['data'], atMs: number, isAsked = true) =>
		events.push({ type, username, data, atMs, isAsked });

	const limitsOf = ({ dayBytes, monthBytes, totalBytes, expiresAtMs }: ModelLimits) => ({
		day_bytes: dayBytes ?? null,
		month_bytes: monthBytes ?? null,
		total_bytes: totalBytes ?? null,
		connections: null,
		bytes_per_second: null,
		allowed_ips: null,
		expires_at: expiresAtMs == null ? null : new Date(expiresAtMs).toISOString(),
	});

	function reasonOf(name: string, nowMs: number): string | null {
		const { suspended, limits, used } = subUsers.get(name) as ModelSubUser;
		const sum = (isCounted: (day: string) => boolean) =>
			[...used].filter(([day]) => isCounted(day)).reduce((all, [, bytes]) => all + bytes, 0);
		const today = dayOf(nowMs);
		const isReached = (limit: number | null | undefined, isCounted: (day: string) => boolean) =>
			limit != null && sum(isCounted) >= limit;
		if (suspended) return 'suspended';
		if (limits.expiresAtMs != null && limits.expiresAtMs <= nowMs) return 'expired';
		if (isPriced && money.live(name) <= 0) return 'exhausted';
		const isOver =
			isReached(limits.dayBytes, (day) => day === today) ||
			// Both engines count the days of this month up to today.
			isReached(limits.monthBytes, (day) => day.slice(0, 7) === today.slice(0, 7) && day <= today) ||
			isReached(limits.totalBytes, () => true);
		return isOver ? 'limit_reached' : null;
	}

	function judge(name: string, nowMs: number, isAsked: boolean): void {
		const subUser = subUsers.get(name);
		if (!subUser) return;
		const reason = reasonOf(name, nowMs);
		if (reason === subUser.told) return;
		subUser.told = reason;
		if (reason === null) tell('sub_user.usable', name, {}, nowMs, isAsked);
		else tell('sub_user.unusable', name, { reason }, nowMs, isAsked);
	}

	/** Does something with money, and tells what has changed of the debt, and of the sub-user that it is about. */
	function moving(name: string | undefined, nowMs: number, isAsked: boolean, work: () => boolean): boolean {
		const debtBefore = money.debt();
		const hadMoney = name !== undefined && subUsers.has(name) && money.live(name) > 0;
		const isDone = work();
		const debt = money.debt();
		const state =
			debtBefore > 0 && debt === 0
				? 'paid'
				: debtBefore > LINE !== debt > LINE
					? debt > LINE
						? 'beyond_line'
						: 'within_line'
					: debtBefore === 0 && debt > 0
						? 'began'
						: undefined;
		if (state) tell('reseller.debt', null, { state, debt, line: LINE }, nowMs, isAsked);
		if (name === undefined || !subUsers.has(name)) return isDone;
		// A balance that comes changes only what was told of its absence.
		const hasMoney = money.live(name) > 0;
		const isJudged = hadMoney ? !hasMoney : hasMoney && subUsers.get(name)?.told === 'exhausted';
		if (isJudged) judge(name, nowMs, isAsked);
		return isDone;
	}

	return {
		events,
		subUsers: () => [...subUsers.keys()],
		reasonOf,
		toldOf: (name: string) => subUsers.get(name)?.told,
		overdrawn: money.overdrawn,
		create(name: string, nowMs: number): boolean {
			const isFree = !money.names().includes(name);
			return moving(undefined, nowMs, true, () => {
				if (!money.create(name)) return false;
				if (!isFree) return false;
				const told = isPriced ? 'exhausted' : null;
				subUsers.set(name, { suspended: false, limits: NO_LIMITS, used: new Map(), told });
				tell('sub_user.created', name, { usable: told === null, reason: told }, nowMs);
				return true;
			});
		},
		createWith(name: string, cents: number, limits: ModelLimits, nowMs: number): boolean {
			const isFree = !money.names().includes(name);
			return moving(undefined, nowMs, true, () => {
				if (money.live(reseller) < 10 + cents || !money.create(name) || !isFree) return false;
				if (cents > 0) money.give(name, cents);
				const subUser: ModelSubUser = { suspended: false, limits, used: new Map(), told: null };
				subUsers.set(name, subUser);
				subUser.told = reasonOf(name, nowMs);
				tell('sub_user.created', name, { usable: subUser.told === null, reason: subUser.told }, nowMs);
				const isLimited = Object.values(limits).some((limit) => limit !== null);
				if (isLimited) tell('sub_user.limits_set', name, { limits: limitsOf(limits) }, nowMs);
				return true;
			});
		},
		give: (name: string, cents: number, nowMs: number) =>
			moving(name, nowMs, true, () => subUsers.has(name) && money.give(name, cents)),
		take: (name: string, cents: number, nowMs: number) =>
			moving(name, nowMs, true, () => subUsers.has(name) && money.take(name, cents)),
		delete(name: string, nowMs: number): boolean {
			if (!subUsers.has(name)) return false;
			const before = money.live(name);
			subUsers.delete(name);
			return moving(undefined, nowMs, true, () => {
				tell('sub_user.deleted', name, { amount_usd_cents: before }, nowMs);
				return money.delete(name);
			});
		},
		credit: (cents: number, reference: string, nowMs: number) =>
			moving(undefined, nowMs, true, () => {
				if (!money.credit(cents)) return false;
				tell('reseller.credited', null, { amount_usd_cents: cents, balance: money.live(reseller), reference }, nowMs);
				return true;
			}),
		setPrice(microUsdPerGb: number | null, nowMs: number): void {
			if (microUsdPerGb !== price) isPriceUnjudged = true;
			price = microUsdPerGb;
			isPriced = microUsdPerGb !== null;
			money.setPrice(microUsdPerGb, nowMs);
		},
		post(names: readonly string[], nowMs: number): void {
			moving(undefined, nowMs, false, () => {
				money.post(names);
				return true;
			});
			for (const name of names) judge(name, nowMs, false);
		},
		use(name: string, bytes: number, atMs: number): void {
			money.use(name, bytes, atMs);
			const used = subUsers.get(name)?.used;
			used?.set(dayOf(atMs), (used.get(dayOf(atMs)) ?? 0) + bytes);
		},
		setSuspended(name: string, suspended: boolean, nowMs: number): boolean {
			const subUser = subUsers.get(name);
			if (!subUser) return false;
			if (subUser.suspended === suspended) return true;
			subUser.suspended = suspended;
			tell(suspended ? 'sub_user.suspended' : 'sub_user.resumed', name, {}, nowMs);
			judge(name, nowMs, true);
			return true;
		},
		setLimits(name: string, limits: ModelLimits, nowMs: number): boolean {
			const subUser = subUsers.get(name);
			if (!subUser) return false;
			const all = { ...subUser.limits, ...limits };
			if (JSON.stringify(all) === JSON.stringify(subUser.limits)) return true;
			subUser.limits = all;
			tell('sub_user.limits_set', name, { limits: limitsOf(all) }, nowMs);
			judge(name, nowMs, true);
			return true;
		},
		resetKey(name: string, nowMs: number): boolean {
			if (!subUsers.has(name)) return false;
			tell('sub_user.key_reset', name, {}, nowMs);
			return true;
		},
		/** The service looks: at who has a limit of bytes, at who has ended, and at all if bandwidth has another price. */
		look(nowMs: number): void {
			const isEnded = (name: string) => {
				const { told, limits } = subUsers.get(name) as ModelSubUser;
				return (
					limits.expiresAtMs != null && limits.expiresAtMs <= nowMs && !['suspended', 'expired'].includes(told ?? '')
				);
			};
			/** The clock was set back. */
			const isEarly = (name: string) => subUsers.get(name)?.told === 'expired' && endOf(name) > nowMs;
			const isLimited = (name: string) => {
				const { dayBytes, monthBytes, totalBytes } = (subUsers.get(name) as ModelSubUser).limits;
				return dayBytes != null || monthBytes != null || totalBytes != null;
			};
			const endOf = (name: string) => subUsers.get(name)?.limits.expiresAtMs ?? 0;
			const names = [...subUsers.keys()].sort();
			const byEnd = (one: string, other: string) => endOf(one) - endOf(other);
			const ended = [...names.filter(isEnded).sort(byEnd), ...names.filter(isEarly).sort(byEnd)];
			for (const name of ended) judge(name, nowMs, false);
			for (const isOfGroup of [() => isPriceUnjudged, isLimited]) {
				for (const name of names.filter(isOfGroup)) judge(name, nowMs, false);
			}
			isPriceUnjudged = false;
		},
	};
}
