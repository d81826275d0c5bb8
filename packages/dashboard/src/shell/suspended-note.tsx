import { Alert } from '@mantine/core';
import { useRead } from '../calls/use-read.ts';
import { Moment } from '../page/moment.tsx';
import { shellTexts } from './texts.ts';

const READ_EVERY_MS = 60_000;

/** Says to people of a reseller that the operator has suspended it, while it is so. */
export function SuspendedNote() {
	const since = useRead('/suspension', {}, { everyMs: READ_EVERY_MS }).data?.since ?? null;
	return (
		<div role="status">
			{since !== null && (
				<Alert color="red" title={shellTexts.suspendedTitle}>
					{shellTexts.suspendedSince} <Moment at={since} />, {shellTexts.suspended}
				</Alert>
			)}
		</div>
	);
}
