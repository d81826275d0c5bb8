import type { Presence, PresentPerson } from '@bursar/contract/dashboard';
import { hasSecondFactor, lacksSecondFactor, provenUntilMs } from '../../../domain/people/person.ts';
import type { SignedIn } from '../../../store/tables/people/reads.ts';
import { shownBrand } from '../brand-view.ts';
import { timeOrNull } from '../calls/times.ts';
import type { DashboardDependencies } from '../dependencies.ts';
import { passkeysWorkAt } from '../factors/passkeys.ts';

/** Who looks at the dashboard. */
export async function presenceView(
	caller: SignedIn | undefined,
	{
		publicUrl,
		nowMs,
		mail,
		brand,
		topUps,
	}: Pick<DashboardDependencies, 'publicUrl' | 'nowMs' | 'mail' | 'brand' | 'topUps'>,
): Promise<Presence> {
	return {
		person: caller ? personView(caller, nowMs()) : null,
		public_url: publicUrl(),
		passkeys: passkeysWorkAt(publicUrl()),
		brand: shownBrand(await brand.read()),
		sends_mail: mail !== undefined,
		takes_payments: topUps.providers.length > 0,
	};
}

function personView({ session, record }: SignedIn, nowMs: number): PresentPerson {
	return {
		email: record.person.email,
		reseller: record.person.reseller,
		role: record.person.role,
		proven_until: timeOrNull(provenUntilMs(session, nowMs)),
		code_required: hasSecondFactor(record),
		one_time_codes: record.codes !== undefined,
		has_passkey: record.passkeys.length > 0,
		second_factor_required: lacksSecondFactor(record),
	};
}
