import type { NewPair } from '@bursar/contract/dashboard';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

/** A name with its key, which exists here and nowhere else. It is dropped when the page is left. */
export function useShownPair() {
	const [pair, setPair] = useState<NewPair>();
	const hide = () => setPair(undefined);
	useWindowEvent('pagehide', hide);
	return { pair, show: setPair, hide };
}
