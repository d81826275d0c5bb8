import { usePresence } from '../calls/presence.ts';
import { useRead } from '../calls/use-read.ts';
import { actTexts } from './texts.ts';

/** Why nothing of the reseller can be changed now: the operator has suspended it. `undefined` if it has not. */
export function useSuspendedReason(): string | undefined {
	const isOfReseller = usePresence().data?.person?.reseller != null;
	const since = useRead('/suspension', {}, { enabled: isOfReseller }).data?.since ?? null;
	return since === null ? undefined : actTexts.resellerSuspended;
}
