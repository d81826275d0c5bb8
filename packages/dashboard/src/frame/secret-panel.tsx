import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { frameTexts } from '../texts/frame.ts';
import { Copyable } from './copyable.tsx';
import { focusOnMount } from './focus-on-mount.ts';
import { Panel } from './panel.tsx';
import { StoredButton } from './stored-button.tsx';

/** What a dialog with a secret does about closing. */
export interface SecretClosing {
	/** Whether somebody has tried to close it without having stored the secret. */
	readonly isAsking: boolean;
	readonly onGoBack: () => void;
	readonly onClose: () => void;
}

interface Props extends SecretClosing {
	readonly secret: string;
	/** Says what it is. */
	readonly label: string;
	readonly intro: ReactNode;
	/** Stands below the secret. */
	readonly note?: ReactNode;
	/** Asked if somebody closes the dialog without having stored the secret. */
	readonly askTitle: string;
	readonly ask: string;
}

/** Shows a secret once. */
export function SecretPanel({ secret, label, intro, note, askTitle, ask, isAsking, onGoBack, onClose }: Props) {
	return (
		<Panel>
			<Text size="sm">{intro}</Text>
			<Copyable text={secret} label={label} />
			{note !== undefined && <Text size="sm">{note}</Text>}
			{isAsking ? (
				<Alert color="red" role="alertdialog" title={askTitle} aria-label={askTitle}>
					<Stack gap="sm">
						<Text size="sm">{ask}</Text>
						<Group>
							<Button variant="default" onClick={onGoBack} ref={focusOnMount}>
								{frameTexts.goBack}
							</Button>
							<Button color="red" onClick={onClose}>
								{frameTexts.closeAnyway}
							</Button>
						</Group>
					</Stack>
				</Alert>
			) : (
				<Group justify="flex-end">
					<StoredButton onStored={onClose}>{frameTexts.stored}</StoredButton>
				</Group>
			)}
		</Panel>
	);
}
