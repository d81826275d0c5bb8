import { isBrandColor, isBrandName, isLetterheadLine, MAX_ADDRESS_LINES } from '@bursar/contract/brand';
import { readPng } from '@bursar/contract/png';

/** How the service looks, and who sends its statements and mails. */
export interface Brand {
	/** `null`: the name of the software. */
	readonly name: string | null;
	/** Like `#4263eb`; `null`: the usual one. */
	readonly color: string | null;
	/** A PNG as `readPng` leaves it. */
	readonly logo: Uint8Array | null;
	/** Empty: none. So is the address and the tax number. */
	readonly legalName: string;
	/** Line by line. */
	readonly address: readonly string[];
	readonly taxNumber: string;
}

/** What is absent stays. */
export type BrandChange = Partial<Brand>;

export type BrandRefusal = 'invalid_brand_name' | 'invalid_color' | 'invalid_logo' | 'invalid_letterhead';

/** How the service looks until an operator changes it. */
export const OWN_BRAND: Brand = { name: null, color: null, logo: null, legalName: '', address: [], taxNumber: '' };

/** The brand after a change, or why there can be no such brand. */
export function changedBrand(before: Brand, change: BrandChange): Brand | BrandRefusal {
	const { name, color, logo, legalName, address, taxNumber } = { ...before, ...change };
	if (name !== null && !isBrandName(name)) return 'invalid_brand_name';
	if (color !== null && !isBrandColor(color)) return 'invalid_color';
	const lines = address.every((line) => line !== '') && address.length <= MAX_ADDRESS_LINES;
	if (!lines || ![legalName, ...address, taxNumber].every(isLetterheadLine)) return 'invalid_letterhead';
	const image = change.logo ? readPng(change.logo) : undefined;
	if (image && 'problem' in image) return 'invalid_logo';
	return { name, color: color?.toLowerCase() ?? null, logo: image?.bytes ?? logo, legalName, address, taxNumber };
}
