import type { ResellerDetails } from '@bursar/contract/dashboard';
import { useRead, useTakeOver } from '../../calls/use-read.ts';

/** One reseller. Reads on, because its programs move money meanwhile. */
export function useReseller(reseller: string) {
	return useRead('/operator/reseller', { reseller }, { everyMs: 10_000 });
}

/** For after a change: the pages show its answer, or read the reseller again if the answer is not known. */
export function useRefreshReseller() {
	const takeOver = useTakeOver();
	return (reseller: string, answer?: ResellerDetails) =>
		takeOver({ path: '/operator/reseller', query: { reseller }, answer }, [
			'/operator/resellers',
			'/operator/statement',
			'/operator/statement/periods',
		]);
}
