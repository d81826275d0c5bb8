import type { CodesSetup, NewRecoveryCodes } from '@bursar/contract/dashboard';
import { Box, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { encode } from 'uqr';
import { newActId } from '../../acts/act.ts';
import { actTexts } from '../../acts/texts.ts';
import { useChange } from '../../calls/use-change.ts';
import { Failure } from '../../page/failure.tsx';
import { Copyable } from '../../secrets/copyable.tsx';
import { factorTexts } from './texts.ts';

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
						{actTexts.cancel}
					</Button>
					<Button type="submit" loading={confirm.isBusy}>
						{factorTexts.confirmCode}
					</Button>
				</Group>
			</Stack>
		</form>
	);
}

/** A QR code. It is dark on white in dark colours too, because many cameras read nothing else. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
	const { data, size } = encode(text, { ecc: 'M', border: 2 });
	const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
	return (
		<Box
			component="svg"
			display="block"
			w="100%"
			maw={220}
			mx="auto"
			bdrs="md"
			bg="#fff"
			fill="#000"
			viewBox={`0 0 ${size} ${size}`}
			role="img"
			aria-label={label}
			shapeRendering="crispEdges"
		>
			<path d={path} />
		</Box>
	);
}
