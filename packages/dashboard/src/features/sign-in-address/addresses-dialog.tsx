import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ActDialog } from '../../acts/act-dialog.tsx';
import { ActForm } from '../../acts/act-form.tsx';
import type { Act } from '../../acts/use-act.ts';
import { type SubUserDialogProps, useDone } from '../terms/use-sub-user.ts';
import { signInAddressTexts as texts } from './texts.ts';
import { type TypedIps, typedIps } from './typed-ips.ts';

/** Sets from where a sub-user signs in without a password. */
export function AddressesDialog({ details, onDone, button }: SubUserDialogProps) {
	const { username } = details;
	return (
		<ActDialog
			path="/sub-users/sign-in-ips"
			done={useDone(onDone, texts.done(username))}
			title={texts.dialogTitle(username)}
			button={button}
		>
			{(act) => <AddressesForm act={act} details={details} />}
		</ActDialog>
	);
}

interface FormProps extends Pick<SubUserDialogProps, 'details'> {
	readonly act: Act<'/sub-users/sign-in-ips'>;
}

/** As long as the longest addresses, one a line, and some more. */
const MAX_LENGTH = 2_000;

function AddressesForm({ act, details: { username, sign_in_ips: now } }: FormProps) {
	/** As they were when the form opened. */
	const [before] = useState(() => now.join('\n'));
	const [text, setText] = useState(before);
	const typed = typedIps(text);
	const isChanged = typed.problem === undefined && typed.ips.join('\n') !== before;
	return (
		<ActForm act={act} body={isChanged ? { username, sign_in_ips: typed.ips } : undefined} action={texts.save}>
			<Text size="sm">{texts.intro(username)}</Text>
			<Textarea
				label={texts.addresses}
				description={texts.addressesHint}
				value={text}
				onChange={(event) => setText(event.currentTarget.value)}
				error={problemOf(typed)}
				disabled={act.isBusy}
				rows={5}
				maxLength={MAX_LENGTH}
				autoCapitalize="none"
				spellCheck={false}
				data-autofocus
			/>
		</ActForm>
	);
}

function problemOf(typed: TypedIps): string | undefined {
	if (typed.problem === undefined) return undefined;
	return typed.problem === 'address' ? texts.problems.address(typed.line) : texts.problems.too_many;
}
