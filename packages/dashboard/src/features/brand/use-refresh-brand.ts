import type { BrandSettings } from '@bursar/contract/dashboard';
import { useQueryClient } from '@tanstack/react-query';
import { refreshPresence } from '../../calls/presence.ts';
import { useTakeOver } from '../../calls/use-read.ts';

/** For after a change of the brand: all pages show it at once. */
export function useRefreshBrand() {
	const client = useQueryClient();
	const takeOver = useTakeOver();
	return async (answer: BrandSettings | undefined): Promise<void> => {
		await takeOver({ path: '/operator/brand', query: {}, answer }, ['/letterhead']);
		await refreshPresence(client);
	};
}
