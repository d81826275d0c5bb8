import type { AccountPasskey } from '@bursar/contract/dashboard';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Ago } from '../../../frame/ago.tsx';
import { Dialog } from '../../../frame/dialog.tsx';
import { DialogForm, type FormChange } from '../../../frame/dialog-form.tsx';
import { ExplainedButton } from '../../../frame/explained-button.tsx';
import { Item } from '../../../frame/item.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { accountTexts } from '../../../texts/account.ts';
import { useAccountChange } from '../api/use-account-change.ts';

interface Props {
	readonly passkey: AccountPasskey;
	readonly isLastFactor: boolean;
	readonly onRemoved: () => void;
}

/** A passkey, with buttons that rename and remove it. */
export function PasskeyItem({ passkey: { id, name, created, last_used }, isLastFactor, onRemoved }: Props) {
	const renaming = useAccountChange('/account/passkeys/rename');
	const removal = useAccountChange('/account/passkeys/remove');
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
					<Dialog opened={renaming.isOpen} onClose={renaming.close} title={accountTexts.renameTitle}>
						<RenameForm name={name} change={renaming} onSubmit={(next) => void renaming.send({ id, name: next })} />
					</Dialog>
					<Dialog opened={removal.isOpen} onClose={removal.close} title={accountTexts.removePasskeyTitle}>
						<DialogForm change={removal} onSubmit={remove} action={accountTexts.remove} isDangerous>
							<Text size="sm">{accountTexts.removePasskey(name)}</Text>
						</DialogForm>
					</Dialog>
				</>
			}
		/>
	);
}

interface RenameProps {
	readonly name: string;
	readonly change: FormChange;
	readonly onSubmit: (name: string) => void;
}

function RenameForm({ name, change, onSubmit }: RenameProps) {
	const [next, setNext] = useState(name);
	return (
		<DialogForm
			change={change}
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
		</DialogForm>
	);
}
