import { USERNAME_MAX_LENGTH } from '@bursar/contract/limits';
import { Text } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { moneyText } from '../../format/money.ts';
import { PlainTextInput } from '../../forms/plain-text-input.tsx';
import { termsTexts } from './texts.ts';
import { type SubUserDialogProps, useRefreshSubUsers } from './use-sub-user.ts';

/** Deletes a sub-user for ever. */
export function DeleteDialog({ details, onDone, button }: SubUserDialogProps) {
	const { username } = details;
	const refresh = useRefreshSubUsers();
	return (
		<ActDialog
			path="/sub-users/delete"
			done={(ended) => {
				if (ended) onDone(termsTexts.deleted(username, moneyText(ended.returned)));
				return refresh();
			}}
			title={termsTexts.deleteTitle(username)}
			button={button}
		>
			{(act) => <DeleteForm act={act} details={details} />}
		</ActDialog>
	);
}

interface FormProps extends Pick<SubUserDialogProps, 'details'> {
	readonly act: Act<'/sub-users/delete'>;
}

/** Says how much comes back, and asks for the name to be typed. */
function DeleteForm({ act, details: { username, balance } }: FormProps) {
	const [typed, setTyped] = useState('');
	return (
		<ActForm
			act={act}
			body={typed.trim().toLowerCase() === username ? { username } : undefined}
			action={termsTexts.deleteNow}
			isDangerous
		>
			<Text size="sm">{termsTexts.deleteIntro(username)}</Text>
			<Text size="sm" fw={600}>
				{balance > 0 ? termsTexts.comesBack(moneyText(balance)) : termsTexts.nothingComesBack}
			</Text>
			<PlainTextInput
				label={termsTexts.typeName(username)}
				value={typed}
				onType={setTyped}
				disabled={act.isBusy}
				maxLength={USERNAME_MAX_LENGTH + 1}
				isName
				isFirst
			/>
		</ActForm>
	);
}
