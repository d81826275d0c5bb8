import { CALLS, type DashboardChanges, refusalOfRight } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { usePresence } from './presence.ts';

/**
 * Whether the person may make a change, by the role that was read last. The service decides by the role of the moment.
 * While the person is signed out, the answer stays: the page keeps what was typed.
 */
export function useMay(path: keyof DashboardChanges): boolean {
	const present = usePresence().data?.person;
	const [person, setPerson] = useState(present);
	if (present && present !== person) setPerson(present);
	return person != null && refusalOfRight(person, CALLS[path].right) === undefined;
}
