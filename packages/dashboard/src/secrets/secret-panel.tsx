import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { focusOnMount, Panel } from '../acts/panel.tsx';
import { Copyable } from './copyable.tsx';
import { secretTexts } from './texts.ts';

/** A secret that is shown once, and what stands around it. */
export interface Secret {
	readonly secret: string;
	/** Says what it is. */
	readonly label: string;
	readonly intro: ReactNode;
	/** Stands below the secret. */
	readonly note?: ReactNode;
	/** Asked if the dialog is closed before the secret is stored. */
	readonly askTitle?: string;
	readonly ask?: string;
}

interface Props extends Secret {
	/** Whether closing was tried before the secret was stored. */
	readonly isAsking: boolean;
	readonly onGoBack: () => void;
	readonly onClose: () => void;
}

/** Shows a secret once. */
export function SecretPanel({
	secret,
	label,
	intro,
	note,
	askTitle = secretTexts.askSecretTitle,
	ask = secretTexts.askSecret,
	isAsking,
	onGoBack,
	onClose,
}: Props) {
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
								{secretTexts.goBack}
							</Button>
							<Button color="red" onClick={onClose}>
								{secretTexts.closeAnyway}
							</Button>
						</Group>
					</Stack>
				</Alert>
			) : (
				<Group justify="flex-end">
					<StoredButton onStored={onClose}>{secretTexts.stored}</StoredButton>
				</Group>
			)}
		</Panel>
	);
}

interface StoredButtonProps {
	/** Drops the secret. */
	readonly onStored: () => void;
	readonly children: string;
}

/** Says that a secret is stored that cannot be shown again. */
export function StoredButton({ onStored, children }: StoredButtonProps) {
	return (
		<Button
			onClick={({ detail: clicks }) => {
				// The second click of a double click was meant for the button that stood here before the secret.
				if (clicks < 2) onStored();
			}}
		>
			{children}
		</Button>
	);
}
