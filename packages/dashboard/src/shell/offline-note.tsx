import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { shellTexts } from './texts.ts';

/** Says that the browser is offline, while it is. */
export function OfflineNote() {
	const { online } = useNetwork();
	return <div role="status">{!online && <Alert color="yellow">{shellTexts.offline}</Alert>}</div>;
}
