import type { SubUserDetails } from '@bursar/contract/dashboard';
import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, ActForm } from '../../acts/act-form.tsx';
import { type ActOptions, useAct } from '../../acts/use-act.ts';
import { moneyText } from '../../format/money.ts';
import { lifeTexts } from './texts.ts';
import { useNoteChange } from './use-sub-users.ts';

interface Deleting {
	readonly act: ReturnType<typeof useAct<'/sub-users/delete'>>;
	readonly send: () => Promise<void>;
}

/** Deletes a sub-user, in a dialog. `onDone` is called with what then can be said. */
export function useDeleting(username: string, onDone: (text: string) => void, options?: ActOptions): Deleting {
	const act = useAct('/sub-users/delete', options);
	const note = useNoteChange();
	return {
		act,
		async send() {
			const ended = await act.send({ username });
			if (ended) {
				onDone(lifeTexts.deleted(username, moneyText(ended.returned)));
				act.close();
			}
			await note();
		},
	};
}

interface Props {
	readonly deleting: Deleting;
	readonly details: SubUserDetails;
}

/** Says how much comes back, and asks for the name to be typed. */
export function DeleteDialog({ deleting, details }: Props) {
	return (
		<ActDialog act={deleting.act} title={lifeTexts.deleteTitle(details.username)}>
			<DeleteForm deleting={deleting} details={details} />
		</ActDialog>
	);
}

function DeleteForm({ deleting: { act, send }, details: { username, balance } }: Props) {
	const [typed, setTyped] = useState('');
	return (
		<ActForm
			act={act}
			onSubmit={() => void send()}
			action={lifeTexts.deleteNow}
			isDangerous
			isComplete={typed.trim().toLowerCase() === username}
		>
			<Text size="sm">{lifeTexts.deleteIntro(username)}</Text>
			<Text size="sm" fw={600}>
				{balance > 0 ? lifeTexts.comesBack(moneyText(balance)) : lifeTexts.nothingComesBack}
			</Text>
			<TextInput
				label={lifeTexts.typeName(username)}
				value={typed}
				onChange={({ currentTarget }) => setTyped(currentTarget.value)}
				disabled={act.isBusy}
				maxLength={USERNAME_MAX_LENGTH + 1}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				data-autofocus
			/>
		</ActForm>
	);
}
