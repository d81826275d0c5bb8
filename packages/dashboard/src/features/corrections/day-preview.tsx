import type { DayOfAccount, DayOfBandwidth } from '@bursar/contract/dashboard';
import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useRead } from '../../calls/use-read.ts';
import { bytesText } from '../../format/bytes.ts';
import { Facts } from '../../page/facts.tsx';
import { Failure } from '../../page/failure.tsx';
import { dayAfter } from './correction.ts';
import { correctionTexts } from './texts.ts';

interface Preview {
	readonly before: DayOfBandwidth | undefined;
	readonly after: ReturnType<typeof dayAfter> | undefined;
	/** Why the day could not be read. */
	readonly error: Error | null;
	readonly isPossible: boolean;
}

/** The day is read after a pause of so many milliseconds in the typing. */
const PAUSE_MS = 300;

const NO_DAY: DayOfAccount = { reseller: '', username: '', day: '' };

/** The day as it is now, and as it would be. A correction is possible only if both are known. */
export function useDayPreview(day: DayOfAccount | undefined, change: DayOfBandwidth | undefined): Preview {
	const wanted = JSON.stringify(day ?? NO_DAY);
	const [settled] = useDebouncedValue(wanted, PAUSE_MS);
	const isSettled = settled === wanted;
	const { data, error } = useRead('/operator/usage/day', JSON.parse(settled) as DayOfAccount, {
		staleMs: 0,
		enabled: day !== undefined && isSettled,
	});
	const before = day && isSettled ? data : undefined;
	const after = before && change && dayAfter(before, change);
	return { before, after, error: day && isSettled ? error : null, isPossible: typeof after === 'object' };
}

/** Shows a day before and after its correction. */
export function DayPreview({ preview: { before, after, error } }: { readonly preview: Preview }) {
	const exact = (bytes: number | undefined) =>
		bytes === undefined ? '–' : correctionTexts.exact(bytesText(bytes), bytes);
	const next = typeof after === 'object' ? after : undefined;
	return (
		<div aria-live="polite">
			<Facts
				facts={[
					{ name: correctionTexts.downNow, value: exact(before?.down) },
					{ name: correctionTexts.downAfter, value: <b>{exact(next?.down)}</b> },
					{ name: correctionTexts.upNow, value: exact(before?.up) },
					{ name: correctionTexts.upAfter, value: <b>{exact(next?.up)}</b> },
				]}
			/>
			{typeof after === 'string' && (
				<Text size="sm" c="var(--mantine-color-error)" mt="xs">
					{correctionTexts.problems[after]}
				</Text>
			)}
			<Failure error={error} />
		</div>
	);
}
