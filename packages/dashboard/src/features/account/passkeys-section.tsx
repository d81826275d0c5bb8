import { type Account, type AccountPasskey, MAX_PASSKEYS, type NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { Dialog } from '../../acts/dialog.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { usePresence } from '../../calls/presence.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { Empty } from '../../lists/empty.tsx';
import { Item, ItemList } from '../../lists/item.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { Section } from '../../page/section.tsx';
import { AddPasskey } from '../factors/add-passkey.tsx';
import { factorTexts } from '../factors/texts.ts';
import { isLastFactor } from './factors-left.ts';
import { accountTexts } from './texts.ts';
import { useAccountAct } from './use-account.ts';

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

interface PasskeyItemProps {
	readonly passkey: AccountPasskey;
	readonly isLastFactor: boolean;
	readonly onRemoved: () => void;
}

/** A passkey, with buttons that rename and remove it. */
function PasskeyItem({ passkey: { id, name, created, last_used }, isLastFactor, onRemoved }: PasskeyItemProps) {
	const renaming = useAccountAct('/account/passkeys/rename');
	const removal = useAccountAct('/account/passkeys/remove');
	async function remove() {
		if (await removal.send({ id })) onRemoved();
	}

	return (
		<Item
			name={name}
			details={
				<>
					{accountTexts.added} <Moment at={created} />,{' '}
					{last_used === null ? (
						accountTexts.neverUsed
					) : (
						<>
							{accountTexts.lastUsed} <Ago at={last_used} />
						</>
					)}
				</>
			}
			actions={
				<>
					<ExplainedButton
						before={
							<Button size="xs" variant="default" aria-label={accountTexts.renameOne(name)} onClick={renaming.open}>
								{accountTexts.rename}
							</Button>
						}
						size="xs"
						variant="outline"
						color="red"
						aria-label={accountTexts.removeOne(name)}
						reason={isLastFactor ? accountTexts.lastFactor : undefined}
						onClick={removal.open}
					>
						{accountTexts.remove}
					</ExplainedButton>
					<ActDialog act={renaming} title={accountTexts.renameTitle}>
						<RenameForm name={name} act={renaming} onSubmit={(next) => void renaming.send({ id, name: next })} />
					</ActDialog>
					<ActDialog act={removal} title={accountTexts.removePasskeyTitle}>
						<ActForm act={removal} onSubmit={remove} action={accountTexts.remove} isDangerous>
							<Text size="sm">{accountTexts.removePasskey(name)}</Text>
						</ActForm>
					</ActDialog>
				</>
			}
		/>
	);
}

interface RenameProps {
	readonly name: string;
	readonly act: ActControl;
	readonly onSubmit: (name: string) => void;
}

function RenameForm({ name, act, onSubmit }: RenameProps) {
	const [next, setNext] = useState(name);
	return (
		<ActForm
			act={act}
			onSubmit={() => onSubmit(next.trim())}
			action={accountTexts.save}
			isComplete={next.trim() !== ''}
		>
			<TextInput
				label={accountTexts.name}
				maxLength={64}
				required
				withAsterisk={false}
				data-autofocus
				value={next}
				onChange={(event) => setNext(event.currentTarget.value)}
			/>
		</ActForm>
	);
}
