import { Alert, Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Dialog } from '../../acts/dialog.tsx';
import { SignInForm } from './sign-in-page.tsx';
import { signInTexts } from './texts.ts';

/** Offers to sign in again without leaving the page. It disappears after a sign-in. */
export function SignedOutNote({ email }: { readonly email: string }) {
	const [isOpen, { open, close }] = useDisclosure(true);
	return (
		<>
			<Alert color="yellow" title={signInTexts.goneTitle}>
				<Stack align="flex-start" gap="sm">
					<Text size="sm">{signInTexts.gone}</Text>
					<Button size="xs" onClick={open}>
						{signInTexts.signInAgain}
					</Button>
				</Stack>
			</Alert>
			<Dialog opened={isOpen} onClose={close} title={signInTexts.goneTitle} zIndex={300}>
				<Stack>
					<Text size="sm">{signInTexts.gone}</Text>
					<SignInForm knownEmail={email} />
				</Stack>
			</Dialog>
		</>
	);
}
