import { createHash } from 'node:crypto';
import { type Brand, OWN_BRAND } from '../domain/operators/brand.ts';
import type { BrandReads } from '../store/tables/brand/brand.ts';

/** @bound Age of the brand that a process shows, in milliseconds, while the store answers: then it is read again. */
const MAX_AGE_MS = 5_000;
/** How old it is at least before an unknown logo has it read again: anybody can ask for any. */
const LOGO_AGE_MS = 1_000;
/** @bound A page or a mail waits for the brand, in milliseconds: then it has the last known one. */
const WAIT_MS = 500;

/** The brand with the name of its logo. */
export interface KnownLook extends Brand {
	/** Changes with the logo; `null` without one. */
	readonly logoHash: string | null;
}

/** The brand as this process knows it. A store that is away breaks no page. */
export interface KnownBrand {
	/** At most `MAX_AGE_MS` old; if the store does not answer, the last that was known. Never rejects. */
	read(): Promise<KnownLook>;
	/** The logo of this name; `undefined` if it is not the present one. Never rejects. */
	findLogo(hash: string): Promise<Uint8Array | undefined>;
	/** Has it read again by the next that asks. Called after a change. */
	forget(): void;
}

export function createKnownBrand(store: BrandReads): KnownBrand {
	let known = lookOf(OWN_BRAND);
	let askedAtMs = Number.NEGATIVE_INFINITY;
	let reading: Promise<void> | undefined;

	function readAgain(): void {
		askedAtMs = performance.now();
		const mine = store
			.readBrand()
			.then((brand) => {
				// A read that began before a change does not count.
				if (reading === mine) known = lookOf(brand);
			})
			.catch(() => {})
			.finally(() => {
				if (reading === mine) reading = undefined;
			});
		reading = mine;
	}

	async function atMost(ageMs: number): Promise<KnownLook> {
		if (performance.now() - askedAtMs >= ageMs) readAgain();
		const leftMs = askedAtMs + WAIT_MS - performance.now();
		if (reading && leftMs > 0) await within(leftMs, reading);
		return known;
	}

	return {
		read: () => atMost(MAX_AGE_MS),
		async findLogo(hash) {
			if (hash !== known.logoHash) await atMost(LOGO_AGE_MS);
			return hash === known.logoHash && known.logo ? known.logo : undefined;
		},
		forget() {
			askedAtMs = Number.NEGATIVE_INFINITY;
			reading = undefined;
		},
	};
}

export function lookOf(brand: Brand): KnownLook {
	const { logo } = brand;
	return { ...brand, logoHash: logo && createHash('sha256').update(logo).digest('hex').slice(0, 32) };
}

async function within(limitMs: number, work: Promise<void>): Promise<void> {
	const late = Promise.withResolvers<void>();
	const timer = setTimeout(late.resolve, limitMs);
	await Promise.race([work, late.promise]);
	clearTimeout(timer);
}
