import type { NewPair } from '@bursar/contract/dashboard';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { actTitle } from '../../acts/act-form.tsx';
import { Dialog } from '../../acts/dialog.tsx';
import { Panel } from '../../acts/panel.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { Copyable } from '../../secrets/copyable.tsx';
import { pairForms } from './proxy-url.ts';
import { subUserTexts } from './texts.ts';

interface Props {
	readonly act: ActControl;
	/** The title while the form is shown. */
	readonly title: string;
	/** What was answered, and what stands around it. */
	readonly pair: NewPair | undefined;
	readonly pairTitle: (username: string) => string;
	readonly pairIntro: string;
	/** Buttons beside the one that closes the dialog. */
	readonly actions?: ReactNode;
	/** Drops the pair. */
	readonly onClose: () => void;
	/** The form, an `ActForm`. */
	readonly children: ReactNode;
}

/** A dialog for an act that answers with a proxy auth key. It can be shown again later, so nothing asks before it goes. */
export function PairDialog({ act, title, pair, pairTitle, pairIntro, actions, onClose, children }: Props) {
	return (
		<Dialog
			opened={act.isOpen}
			onClose={onClose}
			title={pair ? pairTitle(pair.username) : actTitle(act, title)}
			size="lg"
			// A key is gone from the page at once.
			transitionProps={{ exitDuration: 0 }}
		>
			{pair ? (
				<Panel>
					<Text size="sm">{pairIntro}</Text>
					<PairView pair={pair} />
					<Group justify="flex-end">
						{actions}
						<Button onClick={onClose}>{subUserTexts.done}</Button>
					</Group>
				</Panel>
			) : (
				children
			)}
		</Dialog>
	);
}

/** A name and its proxy auth key, in the ways in which programs ask for them. */
export function PairView({ pair }: { readonly pair: NewPair }) {
	const { key, userAndKey, proxyUrl } = pairForms(pair);
	return (
		<Stack gap="sm">
			<Form label={subUserTexts.keyForm} text={key} />
			<Form label={subUserTexts.userAndKeyForm} text={userAndKey} />
			{proxyUrl === null ? (
				<Text size="sm" c="dimmed">
					{subUserTexts.noProxyHost}
				</Text>
			) : (
				<Form label={subUserTexts.proxyUrlForm} text={proxyUrl} />
			)}
		</Stack>
	);
}

function Form({ label, text }: { readonly label: string; readonly text: string }) {
	return (
		<Stack gap={4}>
			<Text size="sm" c="dimmed">
				{label}
			</Text>
			<Copyable text={text} label={label} />
		</Stack>
	);
}

/** A name with its key, which exists here and nowhere else. It is dropped when the page is left. */
export function useShownPair() {
	const [pair, setPair] = useState<NewPair>();
	const hide = () => setPair(undefined);
	useWindowEvent('pagehide', hide);
	return { pair, show: setPair, hide };
}
