import type { DashboardChanges } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { useMay } from '../calls/use-may.ts';

interface Props {
	readonly path: keyof DashboardChanges;
	readonly children: ReactNode;
	/** For everybody else. */
	readonly otherwise?: ReactNode;
}

/** What only those see who may make a change. A note above the page says why it is not there (`RoleNote`). */
export function IfMay({ path, children, otherwise = null }: Props) {
	return useMay(path) ? children : otherwise;
}
