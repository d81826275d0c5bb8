import { isBrandColor, isBrandName } from '@bursar/contract/brand';
import type { BrandChange, BrandSettings } from '@bursar/contract/dashboard';
import { type PngProblem, readPng } from '@bursar/contract/png';

/** What an operator has typed and chosen. Empty: as Bursar has it. */
export interface TypedLook {
	readonly name: string;
	readonly color: string;
	readonly logo: ChosenLogo;
}

export type ChosenLogo =
	| { readonly state: 'kept' }
	| { readonly state: 'none' }
	/** In base64. */
	| { readonly state: 'new'; readonly png: string }
	| { readonly state: 'wrong'; readonly problem: PngProblem };

export function typedLookOf({ name, color }: BrandSettings): TypedLook {
	return { name: name ?? '', color: color ?? '', logo: { state: 'kept' } };
}

/** Which fields cannot be like this. */
export function wrongIn({ name, color, logo }: TypedLook) {
	return {
		name: name.trim() !== '' && !isBrandName(name.trim()),
		color: color.trim() !== '' && !isBrandColor(color.trim()),
		logo: logo.state === 'wrong',
	};
}

/** What would be sent: what differs from before; `undefined` if nothing does, or if something is wrong. */
export function lookChange(typed: TypedLook, before: BrandSettings): BrandChange | undefined {
	if (Object.values(wrongIn(typed)).some(Boolean)) return undefined;
	const [name, color] = [typed.name.trim() || null, typed.color.trim().toLowerCase() || null];
	const { logo } = typed;
	const change = {
		...(name !== before.name && { name }),
		...(color !== before.color && { color }),
		...(logo.state === 'new' && { logo: logo.png }),
		...(logo.state === 'none' && before.logo !== null && { logo: null }),
	};
	return Object.keys(change).length === 0 ? undefined : change;
}

/** The address of the logo that would be shown. */
export function shownLogo({ logo }: TypedLook, before: BrandSettings): string | null {
	if (logo.state === 'kept') return before.logo;
	return logo.state === 'new' ? `data:image/png;base64,${logo.png}` : null;
}

/** Reads a file that was chosen, by the same rules as the service. */
export async function readLogo(file: Blob): Promise<ChosenLogo> {
	const png = readPng(new Uint8Array(await file.arrayBuffer()));
	if ('problem' in png) return { state: 'wrong', problem: png.problem };
	return { state: 'new', png: btoa(Array.from(png.bytes, (byte) => String.fromCharCode(byte)).join('')) };
}
