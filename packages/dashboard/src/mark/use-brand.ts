import { PRODUCT_NAME } from '@bursar/contract/brand';
import type { ShownBrand } from '@bursar/contract/dashboard';
import { usePresenceAsKnown } from '../calls/presence.ts';

const OWN: ShownBrand = { name: PRODUCT_NAME, color: null, logo: null };

/** How the service looks; `undefined` until that is known. */
export function useBrand(): ShownBrand | undefined {
	const { data, isError } = usePresenceAsKnown();
	return data?.brand ?? (isError ? OWN : undefined);
}

/** What people call the service. */
export function useServiceName(): string {
	return useBrand()?.name ?? PRODUCT_NAME;
}
