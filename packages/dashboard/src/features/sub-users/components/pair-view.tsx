import type { NewPair } from '@bursar/contract/dashboard';
import { Stack, Text } from '@mantine/core';
import { Copyable } from '../../../frame/copyable.tsx';
import { subUserTexts } from '../../../texts/sub-users.ts';
import { pairForms } from '../proxy-url.ts';

/** A name and its proxy auth key, in the ways in which programs ask for them. */
export function PairView({ pair }: { readonly pair: NewPair }) {
	const { key, userAndKey, proxyUrl } = pairForms(pair);
	return (
		<Stack gap="sm">
			<Form label={subUserTexts.keyForm} text={key} />
			<Form label={subUserTexts.userAndKeyForm} text={userAndKey} />
			{proxyUrl === null ? (
				<Text size="sm" c="dimmed">
					{subUserTexts.noProxyHost}
				</Text>
			) : (
				<Form label={subUserTexts.proxyUrlForm} text={proxyUrl} />
			)}
		</Stack>
	);
}

function Form({ label, text }: { readonly label: string; readonly text: string }) {
	return (
		<Stack gap={4}>
			<Text size="sm" c="dimmed">
				{label}
			</Text>
			<Copyable text={text} label={label} />
		</Stack>
	);
}
