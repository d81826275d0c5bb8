import type { CodesSetup, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { newActId } from '../../../api/act-id.ts';
import { useChange } from '../../../api/use-change.ts';
import { Copyable } from '../../../frame/copyable.tsx';
import { Failure } from '../../../frame/failure.tsx';
import { factorTexts } from '../../../texts/factors.ts';
import { frameTexts } from '../../../texts/frame.ts';
import { QrCode } from './qr-code.tsx';

interface Props {
	/** The answer of `/account/codes/setup`. */
	readonly setup: CodesSetup;
	/** The codes count now. */
	readonly onDone: (answer: NewRecoveryCodes) => void;
	readonly onCancel: () => void;
}

/** Shows the secret of one-time codes, and asks for a first code. */
export function CodesSetUp({ setup, onDone, onCancel }: Props) {
	const [act] = useState(newActId);
	const [code, setCode] = useState('');
	const confirm = useChange('/account/codes');

	async function submit(event: FormEvent) {
		event.preventDefault();
		const answer = await confirm.run({ act, setup: setup.setup, code: code.replaceAll(' ', '') });
		if (answer) onDone(answer);
	}

	return (
		<form onSubmit={submit}>
			<Stack gap="lg">
				<Text>{factorTexts.scan}</Text>
				<QrCode text={setup.uri} label={factorTexts.qrLabel} />
				<Stack gap="xs">
					<Text size="sm" c="dimmed">
						{factorTexts.bySecret}
					</Text>
					<Copyable text={setup.secret} label={factorTexts.bySecret} />
				</Stack>
				<TextInput
					label={factorTexts.firstCode}
					inputMode="numeric"
					autoComplete="one-time-code"
					pattern="[0-9 ]*"
					required
					withAsterisk={false}
					value={code}
					onChange={(event) => setCode(event.currentTarget.value)}
				/>
				<Failure error={confirm.failure} />
				{confirm.failure?.code === 'wrong_code' && <Text size="sm">{factorTexts.setupTooOld}</Text>}
				<Group justify="flex-end">
					<Button variant="default" onClick={onCancel}>
						{frameTexts.cancel}
					</Button>
					<Button type="submit" loading={confirm.isBusy}>
						{factorTexts.confirmCode}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}
