import type { PreviousToken } from '@bursar/contract/dashboard';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useServerNow } from '../../../api/use-server-now.ts';
import { Copyable } from '../../../frame/copyable.tsx';
import { focusOnMount } from '../../../frame/focus-on-mount.ts';
import { tokenTexts } from '../../../texts/token.ts';
import { countdownOf } from '../countdown.ts';
import { deadlineText } from '../deadline-text.ts';
import classes from './token.module.css';

interface Props {
	readonly token: string;
	readonly previous: PreviousToken | null;
	/** Whether somebody has tried to close it without having stored the token. */
	readonly isAsking: boolean;
	readonly onGoBack: () => void;
	readonly onClose: () => void;
}

/** Shows a new token once. */
export function NewTokenPanel({ token, previous, isAsking, onGoBack, onClose }: Props) {
	return (
		<Stack gap="lg" ref={focusOnMount} tabIndex={-1} className={classes.panel}>
			<Text size="sm">{tokenTexts.newIntro}</Text>
			<Copyable text={token} label={tokenTexts.newLabel} />
			<Text size="sm">{previous ? <Deadline previous={previous} /> : tokenTexts.allEnded}</Text>
			{isAsking ? (
				<Alert color="red" role="alertdialog" title={tokenTexts.askTitle} aria-label={tokenTexts.askTitle}>
					<Stack gap="sm">
						<Text size="sm">{tokenTexts.ask}</Text>
						<Group>
							<Button variant="default" onClick={onGoBack} ref={focusOnMount}>
								{tokenTexts.goBack}
							</Button>
							<Button color="red" onClick={onClose}>
								{tokenTexts.closeAnyway}
							</Button>
						</Group>
					</Stack>
				</Alert>
			) : (
				<Group justify="flex-end">
					<Button onClick={onClose}>{tokenTexts.stored}</Button>
				</Group>
			)}
		</Stack>
	);
}

function Deadline({ previous }: { readonly previous: PreviousToken }) {
	return deadlineText(countdownOf(previous, useServerNow(250)).secondsUntilExpiry);
}
