import { useTakeOver } from '../../calls/use-read.ts';

/** Reads people again after one of them was changed. */
export function useNotePeople() {
	const takeOver = useTakeOver();
	return () => takeOver(undefined, ['/operator/reseller', '/operator/people']);
}
