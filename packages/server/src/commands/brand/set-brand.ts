import { type BrandPart, brandTarget } from '@bursar/contract/brand';
import { type BrandChange, type BrandRefusal, changedBrand } from '../../domain/operators/brand.ts';
import { type CallersCommand, callersVerb, DONE, type Done, refused } from '../person-verb.ts';

export interface SetBrand extends CallersCommand {
	readonly kind: 'set_brand';
	readonly change: BrandChange;
}

/** Changes how the service looks to all people, and who sends its statements and mails. */
export const setBrand = callersVerb<SetBrand, Done, BrandRefusal>({
	kind: 'set_brand',
	calls: ['/operator/brand/set'],
	needs: () => ({ brand: true }),
	decide({ brand }, { change }) {
		const changed = changedBrand(brand, change);
		if (typeof changed === 'string') return refused(changed);
		return { outcome: DONE, effects: [{ kind: 'set_brand', brand: changed }] };
	},
});

/** What an act says that a change is about. */
export function changedParts({ name, color, logo, legalName, address, taxNumber }: BrandChange): string {
	const given: Readonly<Record<BrandPart, boolean>> = {
		name: name !== undefined,
		color: color !== undefined,
		logo: logo !== undefined,
		letterhead: [legalName, address, taxNumber].some((part) => part !== undefined),
	};
	return brandTarget((Object.keys(given) as BrandPart[]).filter((part) => given[part]));
}
