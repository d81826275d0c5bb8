/** The parts of a brand that can be changed, or taken back. */
export const BRAND_PARTS = ['name', 'color', 'logo', 'letterhead'] as const;
export type BrandPart = (typeof BRAND_PARTS)[number];

/** What an act says was changed: the parts, with spaces between. */
export function brandTarget(parts: readonly BrandPart[]): string {
	return BRAND_PARTS.filter((part) => parts.includes(part)).join(' ');
}

/** Reads what `brandTarget` wrote. */
export function readBrandTarget(target: string): readonly BrandPart[] {
	return BRAND_PARTS.filter((part) => target.split(' ').includes(part));
}
