import type { AccountPasskey } from '@bursar/contract/dashboard';
import { Button, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import type { ActControl } from '../../acts/use-act.ts';
import { ExplainedButton } from '../../forms/explained-button.tsx';
import { Item } from '../../lists/item.tsx';
import { Ago, Moment } from '../../page/moment.tsx';
import { accountTexts } from './texts.ts';
import { useAccountAct } from './use-account.ts';

interface Props {
	readonly passkey: AccountPasskey;
	readonly isLastFactor: boolean;
	readonly onRemoved: () => void;
}

/** A passkey, with buttons that rename and remove it. */
export function PasskeyItem({ passkey: { id, name, created, last_used }, isLastFactor, onRemoved }: Props) {
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
