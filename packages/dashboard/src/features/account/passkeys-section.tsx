import { type Account, MAX_PASSKEYS, type NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { Dialog } from '../../acts/dialog.tsx';
import { usePresence } from '../../calls/presence.ts';
import { Empty } from '../../lists/empty.tsx';
import { ItemList } from '../../lists/item.tsx';
import { Section } from '../../page/section.tsx';
import { AddPasskey } from '../factors/add-passkey.tsx';
import { factorTexts } from '../factors/texts.ts';
import { isLastFactor } from './factors-left.ts';
import { PasskeyItem } from './passkey-item.tsx';
import { accountTexts } from './texts.ts';

interface Props {
	readonly account: Account;
	readonly onAdded: (answer: NewRecoveryCodes) => void;
}

/** The passkeys, and a form that adds one. */
export function PasskeysSection({ account, onAdded }: Props) {
	const presence = usePresence().data;
	const [isOpen, { open, close }] = useDisclosure(false);
	const title = useRef<HTMLHeadingElement>(null);
	const isFull = account.passkeys.length >= MAX_PASSKEYS;
	const mayAdd = presence?.passkeys === true && !isFull;

	function finish(answer: NewRecoveryCodes) {
		close();
		onAdded(answer);
	}

	return (
		<Section
			title={accountTexts.passkeys}
			titleRef={title}
			lead={factorTexts.passkeyLead}
			actions={
				mayAdd && (
					<Button variant="default" onClick={open}>
						{factorTexts.addPasskey}
					</Button>
				)
			}
		>
			{account.passkeys.length === 0 ? (
				<Empty>{accountTexts.noPasskeys}</Empty>
			) : (
				<ItemList>
					{account.passkeys.map((passkey) => (
						<PasskeyItem
							key={passkey.id}
							passkey={passkey}
							isLastFactor={isLastFactor(account)}
							onRemoved={() => title.current?.focus()}
						/>
					))}
				</ItemList>
			)}
			{!mayAdd && (
				<Text size="sm" c="dimmed">
					{isFull ? accountTexts.tooManyPasskeys : accountTexts.passkeysNotHere}
				</Text>
			)}
			<Dialog opened={isOpen} onClose={close} title={factorTexts.addPasskey}>
				<AddPasskey onAdded={finish} />
			</Dialog>
		</Section>
	);
}
