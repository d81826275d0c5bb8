import { type Account, MAX_PASSKEYS, type NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef } from 'react';
import { usePresence } from '../../../api/presence.ts';
import { Dialog } from '../../../frame/dialog.tsx';
import { Empty } from '../../../frame/empty.tsx';
import { ItemList } from '../../../frame/item.tsx';
import { Section } from '../../../frame/section.tsx';
import { accountTexts } from '../../../texts/account.ts';
import { factorTexts } from '../../../texts/factors.ts';
import { AddPasskey } from '../../factors/components/add-passkey.tsx';
import { isLastFactor } from '../factors-left.ts';
import { PasskeyItem } from './passkey-item.tsx';

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
