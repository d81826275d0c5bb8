/**
 * Money and bandwidth of one reseller, written from docs/decisions/0061-metering.md and 0074-debts.md, and not from the
 * server's code, as an independent check. An amount is in units of 10^-13 of a cent.
 */
const CENT = 10n ** 13n;

interface Meter {
	readonly price: bigint;
	bytes: bigint;
	/** Cents. */
	charged: bigint;
}

interface ModelAccount {
	posted: bigint;
	/** One for each price under which something was counted. */
	readonly meters: Meter[];
}

export function createMeteringModel(reseller: string, openingCents: number) {
	const accounts = new Map<string, ModelAccount>([[reseller, { posted: BigInt(openingCents), meters: [] }]]);
	const deleted = new Set<string>();
	let debt = 0n;
	let price: bigint | undefined;
	let priceNumber = 0;
	let meteredSinceMs = 0;
	const current = new Map<string, { number: number; meter: Meter }>();

	const exists = (name: string) => accounts.has(name) && !deleted.has(name);
	const of = (name: string) => accounts.get(name) as ModelAccount;
	const owed = ({ price: each, bytes, charged }: Meter) => (bytes * each) / CENT - charged;
	const due = (name: string) => of(name).meters.reduce((sum, meter) => sum + owed(meter), 0n);
	const live = (name: string) => {
		const left = of(name).posted - due(name);
		return left > 0n ? left : 0n;
	};

	function settle(name: string): void {
		const account = of(name);
		for (const meter of account.meters) {
			const cents = owed(meter);
			const paid = cents < account.posted ? cents : account.posted;
			account.posted -= paid;
			meter.charged += cents;
			debt += cents - paid;
		}
	}

	/** After each change that is done. */
	function payDebt(): true {
		if (debt > 0n && of(reseller).posted > 0n) {
			settle(reseller);
			const own = of(reseller);
			const paid = debt < own.posted ? debt : own.posted;
			own.posted -= paid;
			debt -= paid;
		}
		return true;
	}

	function pay(from: string, to: string, cents: bigint): boolean {
		if (cents < 1n || live(from) < cents) return false;
		settle(from);
		if (due(to) > of(to).posted) settle(to);
		of(from).posted -= cents;
		of(to).posted += cents;
		return payDebt();
	}

	return {
		live: (name: string) => Number(live(name)),
		names: () => [...accounts.keys()],
		debt: () => Number(debt),
		/** Those whose bandwidth costs all that they have, or more. */
		overdrawn: () => [...accounts.keys()].filter((name) => due(name) > 0n && due(name) >= of(name).posted),
		totals(name: string) {
			const sum = (read: (meter: Meter) => bigint) => of(name).meters.reduce((all, meter) => all + read(meter), 0n);
			return {
				cost: sum(({ bytes, price: each }) => bytes * each),
				charged: sum(({ charged }) => charged),
			};
		},
		create(name: string): boolean {
			if (live(reseller) < 10n) return false;
			settle(reseller);
			of(reseller).posted -= 10n;
			if (!accounts.has(name)) accounts.set(name, { posted: 0n, meters: [] });
			return payDebt();
		},
		give: (name: string, cents: number) => exists(name) && pay(reseller, name, BigInt(cents)),
		take: (name: string, cents: number) => exists(name) && pay(name, reseller, BigInt(cents)),
		isDeleted: (name: string) => deleted.has(name),
		/** What arrives later is counted, and the reseller owes it. */
		delete(name: string): boolean {
			if (!exists(name)) return false;
			settle(name);
			const { posted } = of(name);
			if (posted > 0n) pay(name, reseller, posted);
			deleted.add(name);
			return payDebt();
		},
		credit(cents: number): boolean {
			if (live(reseller) + BigInt(cents) < 0n) return false;
			if (cents < 0 || due(reseller) > of(reseller).posted) settle(reseller);
			of(reseller).posted += BigInt(cents);
			return payDebt();
		},
		forgive(cents: number): boolean {
			if (BigInt(cents) > debt) return false;
			debt -= BigInt(cents);
			return true;
		},
		setPrice(microUsdPerGb: number | null, nowMs: number): void {
			const next = microUsdPerGb === null ? undefined : BigInt(microUsdPerGb);
			if (next === price) return;
			if (price === undefined) meteredSinceMs = nowMs;
			price = next;
			priceNumber++;
		},
		post(names: readonly string[]): void {
			for (const name of names) if (accounts.has(name)) settle(name);
			payDebt();
		},
		use(name: string, bytes: number, atMs: number): void {
			if (price === undefined || atMs < meteredSinceMs || !accounts.has(name) || bytes === 0) return;
			let found = current.get(name);
			if (found?.number !== priceNumber) {
				found = { number: priceNumber, meter: { price, bytes: 0n, charged: 0n } };
				current.set(name, found);
				of(name).meters.push(found.meter);
			}
			found.meter.bytes += BigInt(bytes);
		},
	};
}
