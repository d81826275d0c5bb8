import type { ResellerDetails } from '@bursar/contract/dashboard';
import { useRead, useTakeOver } from '../../calls/use-read.ts';

/** One reseller. Reads on, because its programs move money meanwhile. */
export function useReseller(reseller: string) {
	return useRead('/operator/reseller', { reseller }, { everyMs: 10_000 });
}

/** Takes over what a change of a reseller has answered, or reads again if it is not known how it stands. */
export function useNoteReseller() {
	const takeOver = useTakeOver();
	return (reseller: string, answer?: ResellerDetails) =>
		takeOver({ path: '/operator/reseller', query: { reseller }, answer }, [
			'/operator/resellers',
			'/operator/statement',
			'/operator/statement/periods',
		]);
}
