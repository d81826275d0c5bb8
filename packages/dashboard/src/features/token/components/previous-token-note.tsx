import type { PreviousToken } from '@bursar/contract/dashboard';
import { Alert, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useServerNow } from '../../../api/use-server-now.ts';
import { agoText } from '../../../format/time.ts';
import { tokenTexts } from '../../../texts/token.ts';
import { clockText, countdownOf, spokenSeconds } from '../countdown.ts';
import { deadlineText } from '../deadline-text.ts';
import classes from './token.module.css';

/** Fine enough that the countdown reaches 0 within a quarter of a second. */
const STEP_MS = 250;

interface Props {
	readonly previous: PreviousToken;
	/** When the rotation happened. */
	readonly rotated: string;
}

/** Counts down until the previous token is dead, and says whether some program still uses it. */
export function PreviousTokenNote({ previous, rotated }: Props) {
	const nowMs = useServerNow(STEP_MS);
	const { secondsLeft, secondsUntilExpiry } = countdownOf(previous, nowMs);
	const isStillUsed = previous.last_used !== null && Date.parse(previous.last_used) > Date.parse(rotated);
	return (
		<Alert color="yellow" title={tokenTexts.previousTitle(previous.tail)}>
			<Group align="flex-start" gap="lg">
				<div role="timer" aria-label={tokenTexts.untilDead} className={classes.clock}>
					{clockText(secondsLeft)}
				</div>
				<Stack gap={4} flex="1 1 240px">
					<Text size="sm">{deadlineText(secondsUntilExpiry)}</Text>
					<Text size="sm" fw={isStillUsed ? 600 : undefined}>
						{previous.last_used === null
							? tokenTexts.previousUnused
							: tokenTexts.previousUsed(agoText(previous.last_used, nowMs))}
						{isStillUsed && ` ${tokenTexts.previousStillUsed}`}
					</Text>
				</Stack>
			</Group>
			<VisuallyHidden aria-live="polite">
				{secondsLeft === 0 ? tokenTexts.previousDead : tokenTexts.spokenLeft(spokenSeconds(secondsLeft))}
			</VisuallyHidden>
		</Alert>
	);
}
