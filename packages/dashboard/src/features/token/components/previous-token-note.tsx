import type { PreviousToken } from '@bursar/contract/dashboard';
import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { useServerNow } from '../../../api/use-server-now.ts';
import { agoText } from '../../../format/time.ts';
import { tokenTexts } from '../../../texts/token.ts';
import { clockText, countdownOf, spokenSeconds } from '../countdown.ts';
import classes from './token.module.css';

/** Fine enough that the countdown reaches 0 within a quarter of a second. */
const STEP_MS = 250;

interface Props {
	readonly previous: PreviousToken;
	/** When the rotation happened. */
	readonly rotated: string;
}

/** Counts down until the previous token expires, and says whether some program still uses it, and when to rotate again. */
export function PreviousTokenNote({ previous, rotated }: Props) {
	const nowMs = useServerNow(STEP_MS);
	const worksForId = useId();
	const { secondsUntilExpiry, secondsUntilRotation } = countdownOf(previous, nowMs);
	const isExpired = secondsUntilExpiry === 0;
	const isStillUsed = previous.last_used !== null && Date.parse(previous.last_used) > Date.parse(rotated);
	return (
		<Alert color="yellow" title={tokenTexts.previousTitle(previous.tail, isExpired)}>
			<Group align="flex-start" gap="lg">
				<div>
					<Text size="sm" c="dimmed" id={worksForId}>
						{tokenTexts.worksFor}
					</Text>
					<div role="timer" aria-labelledby={worksForId} className={classes.clock}>
						{clockText(secondsUntilExpiry)}
					</div>
				</div>
				<Stack gap={4} flex="1 1 240px">
					<Text size="sm">{isExpired ? tokenTexts.previousExpired : tokenTexts.previousTodo}</Text>
					<Text size="sm" fw={isStillUsed ? 600 : undefined}>
						{previous.last_used === null
							? tokenTexts.previousUnused
							: tokenTexts.previousUsed(agoText(previous.last_used, nowMs))}
						{isStillUsed && ` ${tokenTexts.previousStillUsed}`}
					</Text>
					<Text size="sm" c="dimmed">
						{tokenTexts.nextRotation(clockText(secondsUntilRotation))}
					</Text>
				</Stack>
			</Group>
			<VisuallyHidden aria-live="polite">
				{isExpired ? tokenTexts.spokenExpired : tokenTexts.spokenLeft(spokenSeconds(secondsUntilExpiry))}
			</VisuallyHidden>
		</Alert>
	);
}
