import type { DashboardChanges } from '@bursar/contract/dashboard';
import type { ReactNode } from 'react';
import { useMay } from '../calls/use-may.ts';

interface Props {
	readonly path: keyof DashboardChanges;
	readonly children: ReactNode;
	/** Shown to the others. */
	readonly otherwise?: ReactNode;
}

/** Shows its children only to people who may make a change. `RoleNote` tells the others why they see less. */
export function IfMay({ path, children, otherwise = null }: Props) {
	return useMay(path) ? children : otherwise;
}
