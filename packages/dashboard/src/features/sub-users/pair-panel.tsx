import type { NewPair } from '@bursar/contract/dashboard';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Panel } from '../../acts/panel.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { pairForms } from '../connect/pair-forms.ts';
import { subUserTexts } from './texts.ts';

interface Props {
	readonly pair: NewPair;
	readonly intro: string;
	/** What else should be known. */
	readonly note?: ReactNode;
	/** Buttons beside the one that closes the dialog. */
	readonly actions?: ReactNode;
	/** Drops the pair. */
	readonly onClose: () => void;
}

/**
 * What a dialog shows once it was answered with a proxy auth key. The key can be shown again later, so nothing asks before
 * it goes. It goes when the page is left, too.
 */
export function PairPanel({ pair, intro, note, actions, onClose }: Props) {
	useWindowEvent('pagehide', onClose);
	return (
		<Panel>
			<Text size="sm">{intro}</Text>
			{note}
			<PairView pair={pair} />
			<Group justify="flex-end">
				{actions}
				<Button onClick={onClose}>{subUserTexts.done}</Button>
			</Group>
		</Panel>
	);
}

/** A name and its proxy auth key, in the ways in which programs ask for them. */
export function PairView({ pair }: { readonly pair: NewPair }) {
	const { key, userAndKey, atProxy } = pairForms(pair);
	return (
		<Stack gap="sm">
			<Form label={subUserTexts.keyForm} text={key} />
			<Form label={subUserTexts.userAndKeyForm} text={userAndKey} />
			{atProxy === null ? (
				<Text size="sm" c="dimmed">
					{subUserTexts.noProxyHost}
				</Text>
			) : (
				<>
					<Form label={subUserTexts.proxyUrlForm} text={atProxy.url} />
					<Form label={subUserTexts.curlForm} text={atProxy.curl} isCommand />
				</>
			)}
		</Stack>
	);
}

interface FormProps {
	readonly label: string;
	readonly text: string;
	readonly isCommand?: boolean;
}

function Form({ label, text, isCommand = false }: FormProps) {
	return (
		<Stack gap={4}>
			<Text size="sm" c="dimmed">
				{label}
			</Text>
			<Copyable text={text} label={label} isCommand={isCommand} />
		</Stack>
	);
}
