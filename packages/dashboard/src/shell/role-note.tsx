import { Alert } from '@mantine/core';
import { useMay } from '../calls/use-may.ts';
import { shellTexts } from './texts.ts';

/** Says to people of a reseller who only read that they change nothing, while it is so. */
export function RoleNote() {
	const mayChange = useMay('/sub-users/give');
	return <div role="status">{!mayChange && <Alert color="blue">{shellTexts.onlyReads}</Alert>}</div>;
}
