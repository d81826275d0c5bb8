import { isReadable, isSeen } from './readable.ts';

/** The name of the service if the operator has given it none. */
export const PRODUCT_NAME = 'Bursar';

/** @bound Characters of the name of the service: a longer one is refused. */
export const MAX_BRAND_NAME_CHARACTERS = 40;
/** @bound Characters of each line of the letterhead: a longer one is refused. */
export const MAX_LETTERHEAD_CHARACTERS = 80;
/** @bound Lines of the address in the letterhead: more are refused. */
export const MAX_ADDRESS_LINES = 5;

/** The parts of a brand that can be changed, or taken back. */
export const BRAND_PARTS = ['name', 'color', 'logo', 'letterhead'] as const;
export type BrandPart = (typeof BRAND_PARTS)[number];

/** Whether this may be the name of the service: people see it, in one line, and it does not change how the line looks. */
export function isBrandName(text: string): boolean {
	return isLine(text, MAX_BRAND_NAME_CHARACTERS) && isSeen(text);
}

/** Whether this is a colour like `#4263eb`. */
export function isBrandColor(text: string): boolean {
	return /^#[0-9a-f]{6}$/i.test(text);
}

/** Whether this may be a line of the letterhead. It may be empty. */
export function isLetterheadLine(text: string): boolean {
	return isLine(text, MAX_LETTERHEAD_CHARACTERS) && (text === '' || isSeen(text));
}

function isLine(text: string, most: number): boolean {
	return text === text.trim() && [...text].length <= most && isReadable(text);
}

/** What an act says was changed: the parts, with spaces between. */
export function brandTarget(parts: readonly BrandPart[]): string {
	return BRAND_PARTS.filter((part) => parts.includes(part)).join(' ');
}

/** Reads what `brandTarget` wrote. */
export function readBrandTarget(target: string): readonly BrandPart[] {
	return BRAND_PARTS.filter((part) => target.split(' ').includes(part));
}
