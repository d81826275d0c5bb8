import { CALL_RIGHTS, type DashboardChanges, refusalOfRight } from '@bursar/contract/dashboard';
import { usePresence } from './presence.ts';

/** Whether the person may make a change, by the role that was read last. The service decides by the role of the moment. */
export function useMay(path: keyof DashboardChanges): boolean {
	const person = usePresence().data?.person;
	return person != null && refusalOfRight(person, CALL_RIGHTS[path]) === undefined;
}
