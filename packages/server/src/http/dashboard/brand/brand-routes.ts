import type { BodyOf } from '@bursar/contract/dashboard-schemas';
import { lookOf } from '../../../bank/known-brand.ts';
import { changedParts } from '../../../commands/brand/set-brand.ts';
import type { BrandChange } from '../../../domain/operators/brand.ts';
import { brandSettings, letterheadView } from '../brand-view.ts';
import { readAfterChange } from '../calls/after-change.ts';
import type { Calls } from '../calls/calls.ts';
import { ownChange } from '../calls/own-change.ts';
import { refusedBy } from '../calls/refusals.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import type { Sessions } from '../sessions/sessions.ts';

interface BrandDependencies extends Pick<DashboardDependencies, 'store' | 'bank' | 'brand'> {
	readonly sessions: Sessions;
}

/** How the service looks, and who sends its statements and mails. */
export function brandRoutes(calls: Calls, { store, bank, brand, sessions }: BrandDependencies): void {
	const readSettings = async () => ({ data: brandSettings(lookOf(await store.readBrand())) });

	calls.read('/letterhead', async () => ({ data: letterheadView(await brand.read()) }));
	calls.read('/operator/brand', readSettings);

	calls.change('/operator/brand/set', async ({ act, ...body }, call) => {
		const change = changeOf(body);
		const by = ownChange(call, sessions, { act, kind: 'set_brand', target: changedParts(change) });
		const outcome = await bank.changePerson({ kind: 'set_brand', change, by });
		brand.forget();
		return outcome.ok ? readAfterChange(readSettings) : refusedBy(outcome);
	});
}

function changeOf(body: Omit<BodyOf<'/operator/brand/set'>, 'act'>): BrandChange {
	const { name, color, logo, legal_name: legalName, address, tax_number: taxNumber } = body;
	return {
		...(name !== undefined && { name }),
		...(color !== undefined && { color }),
		...(logo !== undefined && { logo: logo === null ? null : Buffer.from(logo, 'base64') }),
		...(legalName !== undefined && { legalName }),
		...(address !== undefined && { address }),
		...(taxNumber !== undefined && { taxNumber }),
	};
}
